-- OWN-3: an address that is to replace an account's own once a mailed code proves it.
create table email_changes (
  account_id uuid primary key references accounts on delete cascade,
  new_email text not null check (new_email = lower(new_email) and length(new_email) between 3 and 254),
  code_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  tries integer not null default 0 check (tries between 0 and 5)
);
create index email_changes_address on email_changes (new_email);
create index email_changes_expired on email_changes (expires_at);

alter table accounts add column updated_at timestamptz;

-- The profile follows its account to the new address.
alter table profiles
  drop constraint profiles_id_email_fkey,
  add constraint profiles_id_email_fkey foreign key (id, email) references accounts (id, email)
    on update cascade on delete cascade;
