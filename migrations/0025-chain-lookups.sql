-- CHAIN-2: what the chain says of each payment by coin. A request without a row was not looked up yet.
create table chain_lookups (
  request_id uuid primary key references payment_requests on delete cascade,
  coin text not null check (coin in ('bitcoin', 'ethereum')),
  -- Where the payment should have arrived, and since when: the time of the quote.
  destination text not null,
  since timestamptz not null,
  -- ChainFacts of the domain; null until a lookup has ended.
  facts jsonb check (jsonb_typeof(facts) = 'object'),
  looked_at timestamptz,
  -- Lookups that failed one after another; 0 after one that did not.
  failures integer not null default 0 check (failures >= 0),
  -- Counted when a process takes the lookup; a process whose number is no longer the row's has lost it.
  attempts integer not null default 0,
  -- The end of the lease while a process looks; null when nothing is left to look for.
  next_at timestamptz,
  constraint chain_lookups_found check ((facts is null) = (looked_at is null))
);
create index chain_lookups_due on chain_lookups (coin, next_at) where next_at is not null;
create index payment_requests_pending_coins on payment_requests (crypto_type, created_at) where status = 'pending';

-- CHAIN-5: the transactions that count for a request, by which two requests of one payment are found.
create table chain_payments (
  request_id uuid not null references chain_lookups on delete cascade,
  transaction_id text not null check (transaction_id ~ '^(0x)?[0-9a-f]{64}$'),
  primary key (request_id, transaction_id)
);
create index chain_payments_transaction on chain_payments (transaction_id);

-- CHAIN-6: the state of each chain's service, for all processes.
create table chain_services (
  coin text primary key check (coin in ('bitcoin', 'ethereum')),
  failures integer not null default 0 check (failures >= 0),
  failing_since timestamptz,
  problem text check (problem in ('unreachable', 'overloaded', 'wrong_network')),
  -- Nothing is asked in the background before the first, and nothing at all before the second, which the service has named.
  closed_until timestamptz,
  asked_to_wait_until timestamptz,
  constraint chain_services_failing check ((failing_since is null) = (problem is null))
);
insert into chain_services (coin) values ('bitcoin'), ('ethereum');

-- CHAIN-4: how far the blocks of Ethereum were read for transfers; the single row.
create table ethereum_scan (
  id integer primary key default 1 check (id = 1),
  next_block bigint check (next_block >= 0),
  -- Of the block before `next_block`; another one there means that the chain was reorganised.
  last_block_id text check (last_block_id ~ '^0x[0-9a-f]{64}$'),
  -- The end of the lease while a process reads, else when the next reading is due.
  due_at timestamptz,
  constraint ethereum_scan_position check (next_block is not null or last_block_id is null)
);
insert into ethereum_scan default values;

-- Since when every block was read for transfers to a destination.
create table ethereum_destinations (
  destination text primary key check (destination ~ '^0x[0-9a-f]{40}$'),
  read_since timestamptz not null
);

create table ethereum_transfers (
  transaction_id text primary key check (transaction_id ~ '^0x[0-9a-f]{64}$'),
  destination text not null,
  sender text not null,
  amount numeric not null check (amount >= 0),
  at timestamptz not null
);
create index ethereum_transfers_arrived on ethereum_transfers (destination, amount, at);

-- The lookups follow the decision: a rejected request is not looked up any more, a reopened one at once.
create function follow_decision() returns trigger language plpgsql as $$
begin
  update chain_lookups
    set next_at = case when new.status = 'rejected' then null else timestamptz 'epoch' end, attempts = attempts + 1
    where request_id = new.id;
  return null;
end $$;
create trigger payment_requests_decided after update on payment_requests
  for each row when (new.status <> old.status) execute function follow_decision();

-- LIVE-1: evidence that changed reaches the admin's pages; the student's have none of it.
create function notify_evidence() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', '{"topic":"payment-requests"}');
  return null;
end $$;
create trigger chain_lookups_found_notify after update on chain_lookups
  for each row when (new.facts is distinct from old.facts or (new.failures > 0) <> (old.failures > 0))
  execute function notify_evidence();
create trigger chain_services_notify after update on chain_services
  for each row when (new.problem is distinct from old.problem) execute function notify_evidence();
