-- VIDEO-9: made by the admin's browser, so that a repeated request adds one video. Null for callers that send none.
alter table videos add column idempotency_key text constraint videos_idempotency unique;
