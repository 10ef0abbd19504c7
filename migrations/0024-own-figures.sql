-- QUOTE-7: how many addresses of a Bitcoin account's extended public key were given. Whoever takes the next one locks its row.
create table bitcoin_keys (
  xpub text primary key,
  next_index integer not null check (next_index > 0)
);

-- An address belongs to one student and package. It outlives the quotes that have it, so that nobody else gets it.
create table bitcoin_addresses (
  xpub text not null references bitcoin_keys,
  index integer not null check (index >= 0),
  address text not null unique,
  user_id uuid references accounts on delete set null,
  package_type text not null check (package_type in ('starter', 'advanced')),
  given_at timestamptz not null,
  -- The end of the last quote that has it.
  held_until timestamptz not null,
  primary key (xpub, index)
);
create index bitcoin_addresses_holder on bitcoin_addresses (user_id, package_type);

-- QUOTE-8: amounts whose last digits are one quote's alone. The primary key decides races.
create table own_amounts (
  crypto_type text not null check (crypto_type in ('bitcoin', 'ethereum', 'thai_bank')),
  destination text not null,
  amount numeric not null,
  -- The amount before digits were added.
  base_amount numeric not null,
  user_id uuid not null references accounts on delete cascade,
  package_type text not null check (package_type in ('starter', 'advanced')),
  held_until timestamptz not null,
  primary key (crypto_type, destination, amount),
  constraint own_amounts_digits check (amount > base_amount)
);
create index own_amounts_holder on own_amounts (user_id, package_type);
create index own_amounts_ended on own_amounts (held_until);

-- Whether a request was paid to an address, or with an amount.
create index payment_requests_destination on payment_requests (wallet_address, amount_crypto);
create index payment_requests_earlier_destination on payment_requests (earlier_wallet_address, earlier_amount_crypto)
  where earlier_wallet_address is not null;

alter table wallet_settings
  add column bitcoin_xpub text not null default '',
  add column unique_amounts boolean not null default false;
