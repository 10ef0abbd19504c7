-- MAIL-4: a mail that the admin sends again is tried for two days from then on.
alter table mail_outbox add column requeued_at timestamptz;
