-- LIST-4: students are listed by the time of their sign-up, beside their tier, so that one index serves both.
alter table profiles add column created_at timestamptz not null default 'epoch';

create function set_profile_created_at() returns trigger language plpgsql as $$
begin
  new.created_at := (select created_at from accounts where id = new.id);
  return new;
end $$;
create trigger profiles_created_at before insert on profiles for each row execute function set_profile_created_at();

-- Nobody's page has to hear of this.
alter table profiles disable trigger profiles_notify;
update profiles set created_at = accounts.created_at from accounts where accounts.id = profiles.id;
alter table profiles enable trigger profiles_notify;

drop index accounts_newest;
create index profiles_newest on profiles (created_at, id);
create index profiles_tier_newest on profiles (subscription_status, created_at, id);
-- Not in profiles: a sign-in would write their search index anew.
create index accounts_last_sign_in on accounts ((coalesce(last_sign_in_at, 'epoch'::timestamptz)), id);

-- USER-6: what the admin notes about a student, who never reads it.
create table user_notes (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  text text not null check (char_length(text) between 1 and 2000),
  created_at timestamptz not null,
  updated_at timestamptz
);
create index user_notes_account on user_notes (account_id, created_at desc, id desc);

-- Without a user_id it reaches the admin alone.
create function notify_user_note() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', json_build_object('topic', 'profile', 'id', coalesce(new.account_id, old.account_id))::text);
  return null;
end $$;
create trigger user_notes_notify after insert or update or delete on user_notes
  for each row execute function notify_user_note();
