-- What was paid for Starter and is taken off Advanced (setting UPGRADE_CREDIT); a quote keeps it as promised.
alter table quotes add column upgrade_credit_usd numeric not null default 0
  constraint quotes_upgrade_credit check (upgrade_credit_usd >= 0 and amount_usd + upgrade_credit_usd <= original_usd);
alter table payment_requests add column upgrade_credit_usd numeric not null default 0
  constraint payment_requests_upgrade_credit check (upgrade_credit_usd >= 0 and amount_usd + upgrade_credit_usd <= original_usd);

-- Ended quotes are kept for late payers; a student's newest of a package are read at every quote.
create index quotes_ended on quotes (user_id, package_type, expires_at desc);
drop index quotes_user;

-- When the student agreed to the texts that consent_version names.
alter table payment_requests add column consented_at timestamptz;
update payment_requests set consented_at = created_at;
alter table payment_requests alter column consented_at set not null;

-- What a student who paid late says they paid by: the figures of their own quote that had ended.
alter table payment_requests
  add column earlier_amount_usd numeric,
  add column earlier_amount_crypto numeric,
  add column earlier_wallet_address text,
  add column earlier_quoted_at timestamptz,
  add constraint payment_requests_earlier_quote check (
    num_nonnulls(earlier_amount_usd, earlier_amount_crypto, earlier_wallet_address, earlier_quoted_at) in (0, 4)
  );

-- Receipts are numbered without gaps within a year; the row of the year is locked by whoever takes the next.
create table receipt_counters (
  year integer primary key check (year between 2000 and 9999),
  last integer not null check (last > 0)
);
alter table payment_requests add column receipt_number text;
with numbered as (
  select id, extract(year from decided_at at time zone 'UTC') as year,
    row_number() over (partition by extract(year from decided_at at time zone 'UTC') order by decided_at, id) as n
  from payment_requests where status = 'approved'
)
update payment_requests set receipt_number = numbered.year || '-' || lpad(numbered.n::text, greatest(5, length(numbered.n::text)), '0')
from numbered where numbered.id = payment_requests.id;
insert into receipt_counters (year, last)
  select extract(year from decided_at at time zone 'UTC')::integer, count(*)::integer
  from payment_requests where status = 'approved' group by 1;
alter table payment_requests
  add constraint payment_requests_receipt_number_key unique (receipt_number),
  add constraint payment_requests_receipt check ((status = 'approved') = (receipt_number is not null));

-- A rejected request gives its transaction back to the student who submits it again.
alter table payment_requests drop constraint payment_requests_reference_key;
create unique index payment_requests_reference_key on payment_requests (reference) where status <> 'rejected';
create index payment_requests_reference on payment_requests (reference) where reference is not null;
