-- COUPON-5, COUPON-6: when a coupon applies, to what, and how often.
alter table coupon_codes
  add column packages text not null default 'both',
  add column starts_at timestamptz,
  add column ends_at timestamptz,
  add column max_uses integer,
  add constraint coupon_codes_packages_check check (packages in ('both', 'starter', 'advanced')),
  add constraint coupon_codes_period check (ends_at > starts_at),
  add constraint coupon_codes_max_uses check (max_uses between 1 and 1000000);
create trigger coupon_codes_notify after insert or update or delete on coupon_codes
  for each row execute function notify_change('coupons');

-- COUPON-7: the open quotes that hold a use.
create index quotes_by_coupon on quotes (coupon_code, expires_at) where coupon_code is not null;

-- COUPON-8: what the requests with a code come to, however many there are. Each code has several rows, which are added up, so that
-- submits at the same time rarely wait for one another.
create table coupon_totals (
  code text not null,
  shard integer not null,
  pending_uses integer not null,
  pending_usd numeric not null,
  approved_uses integer not null,
  approved_usd numeric not null,
  primary key (code, shard)
);

-- One statement of any number of rows adds to the totals once.
create function count_coupon_uses() returns trigger language plpgsql as $$
declare
  changes text := case tg_op
    when 'INSERT' then 'select new_rows.*, 1 as sign from new_rows'
    when 'DELETE' then 'select old_rows.*, -1 as sign from old_rows'
    else 'select old_rows.*, -1 as sign from old_rows union all select new_rows.*, 1 from new_rows'
  end;
begin
  execute format($sql$
    insert into coupon_totals as totals
    select * from (
      select coupon_code, pg_backend_pid() %% 16,
        coalesce(sum(sign) filter (where status = 'pending'), 0) as pending_uses,
        coalesce(sum(sign * amount_usd) filter (where status = 'pending'), 0) as pending_usd,
        coalesce(sum(sign) filter (where status = 'approved'), 0) as approved_uses,
        coalesce(sum(sign * amount_usd) filter (where status = 'approved'), 0) as approved_usd
      from (%s) as changes where coupon_code is not null group by coupon_code order by coupon_code
    ) as change
    where (pending_uses, pending_usd, approved_uses, approved_usd) <> (0, 0, 0, 0)
    on conflict (code, shard) do update set
      pending_uses = totals.pending_uses + excluded.pending_uses,
      pending_usd = totals.pending_usd + excluded.pending_usd,
      approved_uses = totals.approved_uses + excluded.approved_uses,
      approved_usd = totals.approved_usd + excluded.approved_usd
  $sql$, changes);
  return null;
end $$;

create trigger payment_requests_coupon_insert after insert on payment_requests
  referencing new table as new_rows for each statement execute function count_coupon_uses();
create trigger payment_requests_coupon_update after update on payment_requests
  referencing old table as old_rows new table as new_rows for each statement execute function count_coupon_uses();
create trigger payment_requests_coupon_delete after delete on payment_requests
  referencing old table as old_rows for each statement execute function count_coupon_uses();

insert into coupon_totals
select coupon_code, 0,
  count(*) filter (where status = 'pending'), coalesce(sum(amount_usd) filter (where status = 'pending'), 0),
  count(*) filter (where status = 'approved'), coalesce(sum(amount_usd) filter (where status = 'approved'), 0)
from payment_requests where coupon_code is not null and status <> 'rejected' group by coupon_code;
