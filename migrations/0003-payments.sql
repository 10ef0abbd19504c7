create table wallet_settings (
  id integer primary key default 1 check (id = 1),
  bitcoin_address text not null default '',
  ethereum_address text not null default '',
  bitcoin_price_usd numeric(18, 2) not null default 45000 check (bitcoin_price_usd > 0),
  ethereum_price_usd numeric(18, 2) not null default 3000 check (ethereum_price_usd > 0),
  thai_bank_name text not null default '',
  thai_bank_account_number text not null default '',
  thai_bank_account_name text not null default '',
  is_sample boolean not null default false,
  updated_at timestamptz not null default now()
);
insert into wallet_settings default values;

create table coupon_codes (
  code text primary key check (length(code) between 1 and 40),
  discount_starter numeric(5, 2) not null check (discount_starter between 0 and 100),
  discount_advanced numeric(5, 2) not null check (discount_advanced between 0 and 100),
  active boolean not null default true
);
insert into coupon_codes (code, discount_starter, discount_advanced) values ('LUNCH', 50, 70);

create table quotes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references accounts on delete cascade,
  package_type text not null check (package_type in ('starter', 'advanced')),
  coupon_code text,
  discount_percent numeric not null check (discount_percent between 0 and 100),
  original_usd numeric not null check (original_usd > 0),
  amount_usd numeric not null check (amount_usd between 0 and original_usd),
  bitcoin_amount numeric(28, 8) not null,
  bitcoin_address text not null,
  bitcoin_price_usd numeric(18, 2) not null,
  ethereum_amount numeric(28, 8) not null,
  ethereum_address text not null,
  ethereum_price_usd numeric(18, 2) not null,
  thai_bank_amount numeric(28, 2) not null,
  thai_bank_name text not null,
  thai_bank_account_number text not null,
  thai_bank_account_name text not null,
  is_sample boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at)
);
create index quotes_user on quotes (user_id);

-- A business record: it outlives the account, with e-mail and name as they were.
create table payment_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references accounts on delete set null,
  payer_email text not null,
  payer_full_name text not null,
  quote_id uuid unique references quotes on delete set null,
  package_type text not null check (package_type in ('starter', 'advanced')),
  original_usd numeric not null,
  discount_percent numeric not null check (discount_percent between 0 and 100),
  amount_usd numeric not null check (amount_usd between 0 and original_usd),
  amount_crypto numeric not null check (amount_crypto >= 0 and scale(amount_crypto) <= 8),
  crypto_type text not null check (crypto_type in ('bitcoin', 'ethereum', 'thai_bank')),
  coupon_code text,
  wallet_address text not null check (wallet_address <> ''),
  screenshot_url text not null,
  screenshot_object_id uuid not null unique references stored_objects,
  reference text unique,
  consent_version text not null,
  idempotency_key text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  rejection_reason text,
  decided_at timestamptz,
  decided_by text,
  created_at timestamptz not null,
  check ((status = 'pending') = (decided_at is null)),
  check ((status = 'pending') = (decided_by is null)),
  check ((status = 'rejected') = (rejection_reason is not null))
);
create unique index payment_requests_one_open on payment_requests (user_id, package_type) where status = 'pending';
create unique index payment_requests_idempotency on payment_requests (user_id, idempotency_key);
create index payment_requests_newest on payment_requests (created_at desc, id desc);
create index payment_requests_by_status on payment_requests (status, created_at desc, id desc);
create index payment_requests_mine on payment_requests (user_id, created_at desc, id desc);
