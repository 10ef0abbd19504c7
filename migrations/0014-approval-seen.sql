-- JOURNEY-4: an approval is celebrated once. Requests from before have nothing left to celebrate; an approval sets it to null.
alter table payment_requests add column approval_seen_at timestamptz default now();
alter table payment_requests alter column approval_seen_at drop default;
