-- STATS-1, COUPON-8: coupons are counted from the same changes as the other totals, no longer by triggers of their own.
drop trigger payment_requests_coupon_insert on payment_requests;
drop trigger payment_requests_coupon_update on payment_requests;
drop trigger payment_requests_coupon_delete on payment_requests;
drop function count_coupon_uses();
drop table coupon_totals;

create table coupon_totals (
  code text not null,
  status text not null,
  requests bigint not null,
  amount_usd numeric not null,
  primary key (code, status)
);

-- Null in changes from before, which the totals below have counted already.
alter table payment_total_changes add column coupon_code text;
create index payment_total_changes_coupon on payment_total_changes (coupon_code) where coupon_code is not null;

create or replace function change_payment_totals(request payment_requests, sign integer) returns void language sql as $$
  insert into payment_total_changes (status, method, package_type, flagged, day, requests, amount_usd, coupon_code) values (
    request.status, coalesce(request.crypto_type, 'none'), request.package_type, request.flagged,
    case when request.status = 'approved' then (request.decided_at at time zone 'UTC')::date end,
    sign, sign * request.amount_usd, request.coupon_code
  );
$$;

create or replace function note_payment_request() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE'
    and (old.status, old.crypto_type, old.package_type, old.flagged, old.decided_at, old.amount_usd, old.coupon_code)
      is not distinct from
      (new.status, new.crypto_type, new.package_type, new.flagged, new.decided_at, new.amount_usd, new.coupon_code)
  then
    return null;
  end if;
  if tg_op <> 'INSERT' then perform change_payment_totals(old, -1); end if;
  if tg_op <> 'DELETE' then perform change_payment_totals(new, 1); end if;
  return null;
end $$;

insert into coupon_totals
select coupon_code, status, count(*), sum(amount_usd) from payment_requests where coupon_code is not null group by 1, 2;
