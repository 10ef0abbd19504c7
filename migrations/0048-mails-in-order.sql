-- MAIL-10: the next mail is read from the index, however many wait; sorting them for each claim takes longer with each that waits.
create index mail_outbox_order on mail_outbox (is_optional, (failure_kind is not distinct from 'stalled'), next_attempt_at, id)
  where next_attempt_at is not null;
drop index mail_outbox_due;
