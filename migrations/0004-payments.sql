-- WALLET-1: the single row.
create table wallet_settings (
  id integer primary key default 1 check (id = 1),
  bitcoin_address text not null default '',
  ethereum_address text not null default '',
  bitcoin_price_usd numeric(18, 2) not null default 45000 check (bitcoin_price_usd > 0),
  ethereum_price_usd numeric(18, 2) not null default 3000 check (ethereum_price_usd > 0),
  thai_bank_name text not null default '',
  thai_bank_account_number text not null default '',
  thai_bank_account_name text not null default '',
  promptpay_id text not null default '' check (promptpay_id ~ '^(0\d{9}|\d{13}|\d{15})?$'),
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
-- COUPON-2.
insert into coupon_codes (code, discount_starter, discount_advanced) values ('LUNCH', 50, 70);

create table quotes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references accounts on delete cascade,
  package_type text not null check (package_type in ('starter', 'advanced')),
  coupon_code text,
  discount_percent numeric not null check (discount_percent between 0 and 100),
  original_usd numeric not null check (original_usd > 0),
  upgrade_credit_usd numeric not null default 0,
  amount_usd numeric not null,
  -- What is promised for each method, as one list: a new method needs no new columns.
  methods jsonb not null check (jsonb_typeof(methods) = 'array' and jsonb_array_length(methods) > 0),
  is_sample boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint quotes_amount check (amount_usd between 0 and original_usd),
  constraint quotes_upgrade_credit check (upgrade_credit_usd >= 0 and amount_usd + upgrade_credit_usd <= original_usd),
  constraint quotes_expiry check (expires_at > created_at)
);
-- QUOTE-6: a student's newest ended quotes of a package are read at every quote.
create index quotes_ended on quotes (user_id, package_type, expires_at desc);

-- ACCOUNT-8: a business record, which outlives the account with e-mail and name as they were.
create table payment_requests (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references accounts on delete set null,
  payer_email text not null,
  payer_full_name text not null,
  quote_id uuid unique references quotes on delete set null,
  package_type text not null check (package_type in ('starter', 'advanced')),
  original_usd numeric not null,
  discount_percent numeric not null check (discount_percent between 0 and 100),
  upgrade_credit_usd numeric not null default 0,
  amount_usd numeric not null,
  amount_crypto numeric not null check (amount_crypto >= 0 and scale(amount_crypto) <= 8),
  crypto_type text not null check (crypto_type in ('bitcoin', 'ethereum', 'thai_bank')),
  coupon_code text,
  wallet_address text not null check (wallet_address <> ''),
  screenshot_url text not null,
  screenshot_object_id uuid not null unique references stored_objects,
  reference text,
  -- QUOTE-6: the figures by which a late student says they paid.
  earlier_amount_usd numeric,
  earlier_amount_crypto numeric,
  earlier_wallet_address text,
  earlier_quoted_at timestamptz,
  -- PAY-1.
  consent_version text not null,
  consented_at timestamptz not null,
  idempotency_key text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  rejection_reason text,
  decided_at timestamptz,
  decided_by text,
  receipt_number text unique,
  created_at timestamptz not null,
  constraint payment_requests_amount check (amount_usd between 0 and original_usd),
  constraint payment_requests_upgrade_credit
    check (upgrade_credit_usd >= 0 and amount_usd + upgrade_credit_usd <= original_usd),
  constraint payment_requests_earlier_quote check (
    num_nonnulls(earlier_amount_usd, earlier_amount_crypto, earlier_wallet_address, earlier_quoted_at) in (0, 4)
  ),
  constraint payment_requests_decided_at check ((status = 'pending') = (decided_at is null)),
  constraint payment_requests_decided_by check ((status = 'pending') = (decided_by is null)),
  constraint payment_requests_reason check ((status = 'rejected') = (rejection_reason is not null)),
  constraint payment_requests_receipt check ((status = 'approved') = (receipt_number is not null))
);
-- PAY-2, PAY-3, PAY-4: a rejected request gives its transaction back.
create unique index payment_requests_one_open on payment_requests (user_id, package_type) where status = 'pending';
create unique index payment_requests_idempotency on payment_requests (user_id, idempotency_key);
create unique index payment_requests_reference_key on payment_requests (reference) where status <> 'rejected';
create index payment_requests_reference on payment_requests (reference) where reference is not null;
create index payment_requests_newest on payment_requests (created_at desc, id desc);
create index payment_requests_by_status on payment_requests (status, created_at desc, id desc);
create index payment_requests_mine on payment_requests (user_id, created_at desc, id desc);

-- DECIDE-4: whoever takes the next number of a year locks that year's row.
create table receipt_counters (
  year integer primary key check (year between 2000 and 9999),
  last integer not null check (last > 0)
);
