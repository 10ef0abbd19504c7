-- LIVESESSION-7: whether a reminder can have arrived is read from all mails of its key, those that were sent too.
drop index mail_outbox_replaceable;
create index mail_outbox_replaceable on mail_outbox (replace_key) where replace_key is not null;
