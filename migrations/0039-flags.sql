-- EVIDENCE-6: requests whose flag is to be found out again, each by the transaction that changed what its evidence is made of. There is no
-- foreign key, which would wait for a decision at the same time.
create table flag_checks (
  id bigint generated always as identity primary key,
  request_id uuid not null,
  -- Whether the requests that share a reference, transfer, transaction or picture with it are checked too.
  with_related boolean not null
);

-- Whatever decides a request.
create function clear_flag() returns trigger language plpgsql as $$
begin
  new.flagged := false;
  return new;
end $$;
create trigger payment_requests_clear_flag before update of status on payment_requests
  for each row when (new.status <> 'pending') execute function clear_flag();

-- When all pending requests are checked again; the single row.
create table flag_sweep (
  id integer primary key default 1 check (id = 1),
  due_at timestamptz not null
);
insert into flag_sweep (due_at) values ('epoch');

-- Wakes the job of whichever process listens.
create function notify_flag_checks() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', '{"topic":"flags"}');
  return null;
end $$;
create trigger flag_checks_notify after insert on flag_checks for each statement execute function notify_flag_checks();
create trigger flag_sweep_notify after update on flag_sweep
  for each row when (new.due_at < old.due_at) execute function notify_flag_checks();

create function check_own_flag() returns trigger language plpgsql as $$
begin
  insert into flag_checks (request_id, with_related) values ((to_jsonb(new) ->> tg_argv[0])::uuid, true);
  return null;
end $$;
create trigger payment_requests_flag_new after insert on payment_requests
  for each row execute function check_own_flag('id');
create trigger payment_requests_flag_changed after update on payment_requests
  for each row when ((new.status, new.user_id, new.reference) is distinct from (old.status, old.user_id, old.reference))
  execute function check_own_flag('id');
create trigger payment_request_parts_flag after insert on payment_request_parts
  for each row execute function check_own_flag('payment_request_id');
create trigger chain_lookups_flag after update on chain_lookups
  for each row when (new.facts is distinct from old.facts or (new.failures > 0) <> (old.failures > 0))
  execute function check_own_flag('request_id');

create function check_flags_of_transaction() returns trigger language plpgsql as $$
declare
  changed chain_payments := case tg_op when 'DELETE' then old else new end;
begin
  insert into flag_checks (request_id, with_related)
    select request_id, false from chain_payments
    where transaction_id = changed.transaction_id and request_id <> changed.request_id;
  return null;
end $$;
create trigger chain_payments_flag after insert or delete on chain_payments
  for each row execute function check_flags_of_transaction();

create function check_flags_of_slip() returns trigger language plpgsql as $$
begin
  insert into flag_checks (request_id, with_related)
    select id, true from payment_requests where screenshot_object_id = new.object_id
    union select payment_request_id, true from payment_request_parts where screenshot_object_id = new.object_id;
  return null;
end $$;
create trigger transfer_slips_flag after update on transfer_slips
  for each row when (new.outcome is distinct from old.outcome) execute function check_flags_of_slip();

create function check_flags_of_student() returns trigger language plpgsql as $$
begin
  insert into flag_checks (request_id, with_related)
    select id, false from payment_requests where user_id = new.id and status = 'pending';
  return null;
end $$;
create trigger profiles_flag after update on profiles
  for each row when (new.subscription_status <> old.subscription_status) execute function check_flags_of_student();

create function sweep_flags() returns trigger language plpgsql as $$
begin
  update flag_sweep set due_at = 'epoch' where due_at > 'epoch';
  return null;
end $$;
create trigger wallet_settings_flags after update on wallet_settings
  for each row when (
    to_jsonb(new) - array['bitcoin_price_usd', 'ethereum_price_usd', 'alert_email', 'quote_generation', 'updated_at']
      <> to_jsonb(old) - array['bitcoin_price_usd', 'ethereum_price_usd', 'alert_email', 'quote_generation', 'updated_at']
  ) execute function sweep_flags();
create trigger chain_services_flags after update on chain_services
  for each row when (new.problem is distinct from old.problem) execute function sweep_flags();
