-- SLIP-4: every code on the picture of a slip, by which transfers are compared: a picture may have several slips. `transfer_slips` keeps the first
-- alone with its index, which processes of an earlier release read and write.
create table slip_codes (
  object_id uuid references transfer_slips on delete cascade,
  sending_bank text,
  -- As the bank wrote it, and its letters and digits in capitals, by which it is compared.
  reference text not null,
  reference_form text check (reference_form ~ '^[A-Z0-9]+$'),
  primary key (object_id, sending_bank, reference_form)
);
create index slip_codes_reference on slip_codes (reference_form, sending_bank);

insert into slip_codes
  select object_id, sending_bank, reference, reference_form from transfer_slips where reference is not null;

-- Whichever release reads a slip, its first code is compared.
create function copy_slip_code() returns trigger language plpgsql as $$
begin
  insert into slip_codes values (new.object_id, new.sending_bank, new.reference, new.reference_form);
  return null;
end $$;
create trigger transfer_slips_copy_code after update on transfer_slips
  for each row when (new.reference is not null and old.reference is null) execute function copy_slip_code();
