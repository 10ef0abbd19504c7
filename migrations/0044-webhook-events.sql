-- WEBHOOK-1: what happened to payment requests, for the seller's own programs.
create table webhook_events (
  -- Sent with every attempt. A number would be given again after the restoration of an older backup, and the receiver would drop the event.
  id uuid primary key default gen_random_uuid(),
  -- The order of the events of one request (WEBHOOK-3).
  place bigint generated always as identity,
  payment_request_id uuid not null references payment_requests on delete cascade,
  type text not null,
  -- Exactly what is signed and sent.
  body text not null,
  created_at timestamptz not null,
  -- Counted when a process takes the event; a process whose number is no longer the row's has lost it.
  attempts integer not null default 0,
  -- When it is tried, and the end of the lease while a process has it; null once it was delivered or given up.
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  given_up_at timestamptz,
  last_error text,
  constraint webhook_events_state check (num_nonnulls(next_attempt_at, delivered_at, given_up_at) = 1),
  constraint webhook_events_reason check (given_up_at is null or last_error is not null)
);
create index webhook_events_due on webhook_events (next_attempt_at) where next_attempt_at is not null;
create index webhook_events_of_request on webhook_events (payment_request_id, place);
create index webhook_events_failed on webhook_events (given_up_at) where last_error is not null and delivered_at is null;
create index webhook_events_created on webhook_events (created_at);

-- Wakes the sender of whichever process listens.
create function notify_webhook() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', '{"topic":"webhook"}');
  return null;
end $$;
create trigger webhook_events_notify after insert on webhook_events for each statement execute function notify_webhook();
