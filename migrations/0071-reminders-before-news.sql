-- MAIL-10: a reminder, the optional mail that expires, comes before news also when it is tried again.
drop index mail_outbox_order;
create index mail_outbox_order on mail_outbox
  (is_optional, (failure_kind is not distinct from 'stalled'), (is_optional and expires_at is null), next_attempt_at, id)
  where next_attempt_at is not null;
