-- ACCOUNT-9: networks from which somebody has signed in to an account, as keyed hashes.
create table familiar_networks (
  account_id uuid not null references accounts on delete cascade,
  network_hash bytea not null,
  last_used_at timestamptz not null,
  primary key (account_id, network_hash)
);
create index familiar_networks_oldest on familiar_networks (last_used_at);

-- ACCOUNT-10: unfinished sign-ups of one address stand side by side until one of them proves it.
drop index accounts_unverified_email;
create index accounts_unverified_email on accounts (email) where email_verified_at is null;

-- MAIL-5: a newer code ends the waiting mail of the same sign-up only.
alter table mail_outbox add column replace_key text;
create index mail_outbox_replaceable on mail_outbox (replace_key) where replace_key is not null and sent_at is null;
