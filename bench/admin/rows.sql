-- The rows of a shop of three years, for `npm run bench:admin`. $requests, $users and $pending are replaced by numbers. Triggers and foreign keys
-- are off (session_replication_role), so that a million rows take minutes; what a trigger would fill in is written here.
set session_replication_role = replica;
set maintenance_work_mem = '512MB';
set synchronous_commit = off;

-- An id that a number always has.
create function pg_temp.id_of(kind text, i bigint) returns uuid language sql immutable
  return overlay(overlay(md5(kind || i) placing '4' from 13) placing '8' from 17)::uuid;
-- A number below `below` that looks random.
create function pg_temp.draw(kind text, i bigint, below integer) returns integer language sql immutable
  return (abs(hashint8extended(i, hashtext(kind))) % below)::integer;
create function pg_temp.pick(list text[], kind text, i bigint) returns text language sql immutable
  return list[1 + pg_temp.draw(kind, i, cardinality(list))];

insert into accounts (id, email, password_hash, email_verified_at, created_at, last_sign_in_at)
select
  pg_temp.id_of('user', i),
  lower(pg_temp.pick('{somchai,anna,ben,chloe,david,ella,farid,grace,hiro,ines,jack,kanya,liam,malee,niran,olga}', 'first', i))
    || '.' || i || '@' || pg_temp.pick('{gmail.com,gmail.com,gmail.com,outlook.com,hotmail.com,yahoo.co.th,proton.me,example.org}', 'host', i),
  'none',
  case when pg_temp.draw('verified', i, 10) > 0 then at + interval '2 minutes' end,
  at,
  case when pg_temp.draw('seen', i, 10) > 1 then at + (now() - at) * (pg_temp.draw('seen', i, 1000) / 1000.0) end
from generate_series(1, $users) as i, lateral (select now() - interval '3 years' * (1 - i::float8 / ($users + 1)) as at) as times;

insert into profiles (id, email, full_name, subscription_status, created_at, sign_in_step)
select
  id,
  email,
  case pg_temp.draw('script', i, 3)
    when 0 then pg_temp.pick('{สมชาย,สมหญิง,กานต์,มาลี,นิรันดร์,ปรีชา,วิภา,อรทัย}', 'thai', i) || ' '
      || pg_temp.pick('{ใจดี,ศรีสุข,วงศ์ไทย,แก้วมณี,บุญมา,ทองคำ,รักษ์ไทย,พึ่งบุญ}', 'thai family', i)
    else pg_temp.pick('{Somchai,Anna,Ben,Chloé,David,Ella,Farid,Grace,Hiro,Inês,Jack,Kanya,Liam,Malee,Niran,Ольга}', 'first', i) || ' '
      || pg_temp.pick('{Smith,Müller,García,Suzuki,Okafor,Rossi,Novák,Larsen,Jones,Silva,Wong,Khan}', 'family', i)
      || ' ' || chr(65 + pg_temp.draw('initial', i, 26)) || chr(97 + pg_temp.draw('initial 2', i, 26))
  end,
  pg_temp.pick('{unpaid,unpaid,starter,advanced}', 'tier', i),
  created_at,
  sign_in_step(coalesce(last_sign_in_at, 'epoch'))
from generate_series(1, $users) as i join accounts on accounts.id = pg_temp.id_of('user', i);

insert into sessions (id, account_id, created_at)
select pg_temp.id_of('session', i), id, coalesce(last_sign_in_at, created_at)
from generate_series(1, $users) as i join accounts on accounts.id = pg_temp.id_of('user', i);

insert into stored_objects (id, bucket, name, filename, owner_id, content_type, size, created_at)
select
  pg_temp.id_of('object', i), 'payment-screenshots', pg_temp.id_of('object', i) || '.png', 'screenshot.png',
  pg_temp.id_of('user', 1 + (i::bigint * 7919) % $users), 'image/png', 100000,
  now() - interval '3 years' * (1 - i::float8 / ($requests + 1)) - interval '1 minute'
from generate_series(1, $requests) as i;

-- One in fifty screenshots is of the same bytes as the one before it, one in five hundred as many others. The newest have pictures.
insert into screenshot_fingerprints (object_id, sha256, picture, edges, bands)
select
  pg_temp.id_of('object', i),
  sha256(case when pg_temp.draw('common', i, 500) = 0 then 'common' when i % 50 = 0 then (i - 1)::text else i::text end::bytea),
  case when has_picture then decode(repeat(md5(i::text), 1152), 'hex') end,
  case when has_picture then repeat('01', 18240)::bit(36480) end,
  case when has_picture then array[i, i * 3, i * 5, i * 7, pg_temp.draw('band', i, 1000)] end
from generate_series(1, $requests) as i, lateral (select i > $requests - $pending as has_picture) as newest;

insert into duplicate_screenshots (object_id, other_object_id, kind)
select pg_temp.id_of('object', a), pg_temp.id_of('object', b), 'same_file'
from generate_series(50, $requests, 50) as i, lateral (values (i, i - 1), (i - 1, i)) as pair (a, b);

create temp table drawn as
select
  i,
  pg_temp.id_of('request', i) as id,
  1 + (i::bigint * 7919) % $users as payer,
  now() - interval '3 years' * (1 - i::float8 / ($requests + 1)) as at,
  case when i > $requests - $pending then 'pending' when pg_temp.draw('status', i, 10) < 2 then 'rejected' else 'approved' end as status,
  case
    when pg_temp.draw('free', i, 100) = 0 then null
    -- The bank came in the last year, and the sale by Ethereum ended half a year ago.
    when i > $requests * 2 / 3 and pg_temp.draw('method', i, 10) < 4 then 'thai_bank'
    when i < $requests * 5 / 6 and pg_temp.draw('method', i, 10) < 7 then 'ethereum'
    else 'bitcoin'
  end as method,
  pg_temp.pick('{starter,starter,advanced}', 'package', i) as package,
  -- Few requests have a coupon, and each coupon a season.
  case when pg_temp.draw('coupon', i, 12) = 0 then 'SEASON' || (1 + i::bigint * 12 / $requests) end as coupon
from generate_series(1, $requests) as i;

create temp table priced as
select
  drawn.*,
  case package when 'starter' then 497 else 997 end as original_usd,
  case when method is null then 100 when coupon is not null then 10 else 0 end as discount,
  trim_scale(round(case package when 'starter' then 497 else 997 end
    * (100 - case when method is null then 100 when coupon is not null then 10 else 0 end) / 100.0, 2)) as amount_usd
from drawn;

insert into payment_requests (
  id, user_id, payer_email, payer_full_name, package_type, original_usd, discount_percent, amount_usd, amount_crypto, crypto_type,
  coupon_code, wallet_address, screenshot_url, screenshot_object_id, reference, consent_version, consented_at, idempotency_key, status,
  rejection_reason, decided_at, decided_by, receipt_number, created_at, flagged, search_text
)
select
  priced.id, profiles.id, profiles.email, profiles.full_name, package, original_usd, discount, amount_usd, amount_crypto, method, coupon,
  wallet_address, case when method is not null then pg_temp.id_of('object', i) || '.png' end,
  case when method is not null then pg_temp.id_of('object', i) end, reference, '1', at, i, status,
  case when status = 'rejected' then 'We found no payment.' end,
  case when status <> 'pending' then at + interval '1 minute' * pg_temp.draw('waited', i, 2000) end,
  case when status <> 'pending' then 'admin@example.org' end,
  receipt_number, at, status = 'pending' and pg_temp.draw('flagged', i, 5) = 0,
  search_form(concat_ws(' ', profiles.email, profiles.full_name, wallet_address, reference, coupon, receipt_number, amount_usd, amount_crypto))
from priced
join profiles on profiles.id = pg_temp.id_of('user', payer)
-- One in two hundred claims the transaction of the request before it.
cross join lateral (select case when i % 200 = 0 and status <> 'approved' then i - 1 else i end as claimed) as claim
cross join lateral (
  select
    case method
      when 'bitcoin' then trim_scale(round(amount_usd / (40000 + pg_temp.draw('price', i, 20000)), 8))
      when 'ethereum' then trim_scale(round(amount_usd / (2500 + pg_temp.draw('price', i, 1000)), 8))
      when 'thai_bank' then trim_scale(round(amount_usd * 35 + pg_temp.draw('digits', i, 100) / 100.0, 2))
    end as amount_crypto,
    case
      when method is null then null
      when method = 'thai_bank' then 'Bangkok Bank 123-4-56789-0'
      when method = 'ethereum' then '0x52908400098527886e0f7030069857d2e4169ee7'
      -- The seller had another Bitcoin address in the first half, then an address for each.
      when i < $requests / 2 then 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
      when method = 'bitcoin' then 'bc1q' || left(md5('address' || i) || md5(i::text), 38)
    end as wallet_address,
    case
      when method is null or pg_temp.draw('reference', claimed, 20) = 0 then null
      when method = 'thai_bank' then upper(left(md5('slip' || claimed), 20))
      else case method when 'ethereum' then '0x' else '' end || encode(sha256(('transaction' || claimed)::bytea), 'hex')
    end as reference,
    case when status = 'approved' then extract(year from at) || '-' || lpad(i::text, greatest(5, length(i::text)), '0') end as receipt_number
) as figures;

insert into transfer_slips (object_id, outcome, sending_bank, reference, reference_form, read_at)
select screenshot_object_id, 'read', '002', reference, reference, created_at
from payment_requests where crypto_type = 'thai_bank' and reference is not null;
insert into transfer_slips (object_id, outcome, read_at)
select screenshot_object_id, 'no_code', created_at from payment_requests where crypto_type = 'thai_bank' and reference is null;

insert into chain_lookups (request_id, coin, destination, since)
select id, crypto_type, wallet_address, created_at from payment_requests where crypto_type in ('bitcoin', 'ethereum');
insert into chain_payments (request_id, transaction_id, destination)
select id, reference, wallet_address from payment_requests where crypto_type in ('bitcoin', 'ethereum') and reference is not null;

insert into audit_log (at, actor_id, actor_email, action, subject_type, subject_id, details, ip)
select at, actor_id, actor_email, action, 'payment-request', id::text, details, ip from (
  select
    created_at as at, user_id as actor_id, payer_email as actor_email, 'payment-request.submit' as action, id, '{}'::jsonb as details,
    '203.0.113.' || (i % 250) as ip
  from payment_requests join priced using (id)
  union all
  select
    decided_at, null, decided_by, case payment_requests.status when 'approved' then 'payment-request.approve' else 'payment-request.reject' end, id,
    case payment_requests.status
      when 'approved' then jsonb_build_object('receipt_number', receipt_number, 'tier_before', 'unpaid')
      else jsonb_build_object('reason', rejection_reason)
    end,
    '198.51.100.7'
  from payment_requests join priced using (id) where payment_requests.status <> 'pending'
) as entries order by at;

insert into payment_decisions (request_id, tier_before, tier_change_before, tier_change)
select
  id, case when status = 'approved' then 'unpaid' end, case when status = 'approved' then -2 end, case when status = 'approved' then -1 end
from payment_requests where status <> 'pending';

truncate payment_totals, revenue_days, tier_totals, student_totals, student_steps;
insert into payment_totals
select status, coalesce(crypto_type, 'none'), package_type, flagged, count(*), sum(amount_usd) from payment_requests group by 1, 2, 3, 4;
insert into revenue_days
select (decided_at at time zone 'UTC')::date, coalesce(crypto_type, 'none'), package_type, count(*), sum(amount_usd)
from payment_requests where status = 'approved' group by 1, 2, 3;
insert into tier_totals select subscription_status, count(*) from profiles group by 1;
insert into student_steps
select
  accounts.id, (accounts.created_at at time zone 'UTC')::date,
  coalesce(max(case when status = 'approved' then 3 when status is not null then 2 end), case when email_verified_at is null then 0 else 1 end)
from accounts left join payment_requests on user_id = accounts.id
where role = 'student' group by accounts.id;
insert into student_totals select joined_on, step, count(*) from student_steps group by 1, 2;

drop table drawn, priced;
reset session_replication_role;
