alter table wallet_settings
  -- GUARD-1: who is alerted besides the admin.
  add column alert_email text not null default '',
  -- GUARD-5: destinations that are still quoted while the saved ones wait, by method.
  add column held_destinations jsonb not null default '{}',
  -- GUARD-4: quotes of an earlier generation are void, also one that is stored just now from settings read before.
  add column quote_generation integer not null default 0;
alter table quotes add column generation integer not null default 0;

-- GUARD-1: changes of destinations, prices and the alert address, and the link that undoes each.
create table guarded_changes (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_email text not null,
  ip text not null,
  device text not null,
  -- {field: {before, after}}
  fields jsonb not null check (jsonb_typeof(fields) = 'object' and fields <> '{}'),
  undo_token_hash bytea not null unique check (length(undo_token_hash) = 32),
  undo_until timestamptz not null,
  undone_at timestamptz,
  constraint guarded_changes_undo_until check (undo_until > at),
  constraint guarded_changes_undone_at check (undone_at >= at)
);
create index guarded_changes_newest on guarded_changes (at);

-- The notice in the admin's other tabs.
create trigger guarded_changes_notify after insert or update on guarded_changes
  for each row execute function notify_change('wallet-settings');
-- Open payment pages ask whether their quote is void.
create trigger wallet_settings_void after update on wallet_settings
  for each row when (new.quote_generation <> old.quote_generation) execute function notify_change('quotes');
