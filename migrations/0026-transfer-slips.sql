-- SLIP-2: what the code on the picture of a Thai transfer slip says. A slip without an outcome has not been read.
create table transfer_slips (
  object_id uuid primary key references stored_objects on delete cascade,
  outcome text check (outcome in ('read', 'no_code', 'unreadable')),
  sending_bank text,
  -- As the bank wrote it, and its letters and digits in capitals, by which it is compared.
  reference text,
  reference_form text check (reference_form ~ '^[A-Z0-9]+$'),
  read_at timestamptz,
  -- Counted when a process takes the slip; a process whose number is no longer the row's has lost it.
  attempts integer not null default 0,
  -- When it may be read, and the end of the lease while a process has it; null when nothing is left to do.
  next_attempt_at timestamptz,
  constraint transfer_slips_done check (num_nulls(outcome, read_at) = case when next_attempt_at is null then 0 else 2 end),
  constraint transfer_slips_code check (
    num_nonnulls(sending_bank, reference, reference_form) = case when outcome = 'read' then 3 else 0 end
  )
);
create index transfer_slips_due on transfer_slips (next_attempt_at) where next_attempt_at is not null;
create index transfer_slips_reference on transfer_slips (reference_form, sending_bank) where reference_form is not null;

insert into transfer_slips (object_id, next_attempt_at)
  select screenshot_object_id, max(created_at) from payment_requests
  where crypto_type = 'thai_bank' and screenshot_object_id is not null
  group by screenshot_object_id;

-- Wakes the job of whichever process listens.
create function notify_slip() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', '{"topic":"slip"}');
  return null;
end $$;
create trigger transfer_slips_notify after insert on transfer_slips for each statement execute function notify_slip();

-- LIVE-1: what a slip says is part of the admin's view of every request that has it or claims its transfer.
create function notify_slip_read() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', '{"topic":"payment-requests"}');
  return null;
end $$;
create trigger transfer_slips_notify_read after update on transfer_slips
  for each row when (new.outcome is distinct from old.outcome) execute function notify_slip_read();
