-- WEBHOOK-3: an event that was last tried in the future waits because the clock was ahead, and is tried soon.
alter table webhook_events add column attempted_at timestamptz;
