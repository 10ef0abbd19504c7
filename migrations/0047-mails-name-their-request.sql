-- The id that the log has the request by which wrote the mail.
alter table mail_outbox add column request_id uuid;
