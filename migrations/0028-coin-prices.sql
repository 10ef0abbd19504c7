-- PRICE-1 to PRICE-6: what is known of a coin's price besides the price itself, which is in wallet_settings.
create table coin_prices (
  coin text primary key check (coin in ('bitcoin', 'ethereum')),
  -- When somebody set or confirmed the price, or the public one was taken; null while it is the default.
  set_at timestamptz,
  set_by text check (set_by in ('admin', 'price-service')),
  -- A public price outside of these is not taken.
  lowest_usd numeric(18, 2) check (lowest_usd > 0),
  highest_usd numeric(18, 2) check (highest_usd > 0),
  -- A lease: the process that writes it refreshes the price.
  refreshed_at timestamptz,
  -- Why the last refresh did not take the public price, and when the admin was mailed about one.
  held_reason text check (held_reason in ('out_of_bounds', 'large_step')),
  mailed_at timestamptz,
  constraint coin_prices_set check ((set_at is null) = (set_by is null)),
  constraint coin_prices_bounds check (lowest_usd <= highest_usd)
);

-- PRICE-2: the last reply of the public price service.
create table public_prices (
  coin text primary key references coin_prices,
  usd numeric(18, 2) check (usd > 0),
  stated_at timestamptz,
  -- Whether the last question failed.
  has_failed boolean not null default false,
  -- A lease: the process that writes it asks the service for the dashboard.
  asked_at timestamptz,
  constraint public_prices_stated check ((usd is null) = (stated_at is null))
);

-- Of earlier versions only the last save is known. A price that is the default, or the sample's, was never set.
insert into coin_prices (coin, set_at, set_by)
select coin, saved.updated_at, case when saved.updated_at is not null then 'admin' end
from (values ('bitcoin', 45000), ('ethereum', 3000)) as coins (coin, initial_usd)
left join wallet_settings as saved
  on not saved.is_sample
  and case coin when 'bitcoin' then saved.bitcoin_price_usd else saved.ethereum_price_usd end <> initial_usd;

insert into public_prices (coin) select coin from coin_prices;
