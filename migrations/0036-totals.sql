-- STATS-1: totals that cost the same to read however many payment requests and students there are. A change adds a row of its own, so that
-- submits and decisions at the same time never wait for one another; a job adds these rows to the totals. Readers add up both.

create table payment_totals (
  status text not null,
  -- 'none' where there was nothing to pay (PAY-11).
  method text not null,
  package_type text not null,
  flagged boolean not null,
  requests bigint not null,
  amount_usd numeric not null,
  primary key (status, method, package_type, flagged)
);

-- STATS-3: approved requests by the day of the decision (UTC).
create table revenue_days (
  day date not null,
  method text not null,
  package_type text not null,
  requests bigint not null,
  amount_usd numeric not null,
  primary key (day, method, package_type)
);

create table payment_total_changes (
  id bigint generated always as identity primary key,
  status text not null,
  method text not null,
  package_type text not null,
  flagged boolean not null,
  -- Of the decision, for approved requests.
  day date,
  requests bigint not null,
  amount_usd numeric not null
);

create function change_payment_totals(request payment_requests, sign integer) returns void language sql as $$
  insert into payment_total_changes (status, method, package_type, flagged, day, requests, amount_usd) values (
    request.status, coalesce(request.crypto_type, 'none'), request.package_type, request.flagged,
    case when request.status = 'approved' then (request.decided_at at time zone 'UTC')::date end,
    sign, sign * request.amount_usd
  );
$$;

create function note_payment_request() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE'
    and (old.status, old.crypto_type, old.package_type, old.flagged, old.decided_at, old.amount_usd)
      is not distinct from (new.status, new.crypto_type, new.package_type, new.flagged, new.decided_at, new.amount_usd)
  then
    return null;
  end if;
  if tg_op <> 'INSERT' then perform change_payment_totals(old, -1); end if;
  if tg_op <> 'DELETE' then perform change_payment_totals(new, 1); end if;
  return null;
end $$;
create trigger payment_requests_totals after insert or update or delete on payment_requests
  for each row execute function note_payment_request();

insert into payment_totals
select status, coalesce(crypto_type, 'none'), package_type, flagged, count(*), sum(amount_usd)
from payment_requests group by 1, 2, 3, 4;
insert into revenue_days
select (decided_at at time zone 'UTC')::date, coalesce(crypto_type, 'none'), package_type, count(*), sum(amount_usd)
from payment_requests where status = 'approved' group by 1, 2, 3;

-- STATS-4: accounts of each tier.
create table tier_totals (
  tier text primary key,
  accounts bigint not null
);
create table tier_total_changes (
  id bigint generated always as identity primary key,
  tier text not null,
  accounts bigint not null
);
create function note_tier() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into tier_total_changes (tier, accounts) values (old.subscription_status, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into tier_total_changes (tier, accounts) values (new.subscription_status, 1);
  end if;
  return null;
end $$;
create trigger profiles_totals after insert or delete or update of subscription_status on profiles
  for each row execute function note_tier();

insert into tier_totals select subscription_status, count(*) from profiles group by 1;

-- STATS-5: how far the students who signed up on a day (UTC) have come: 0 signed up, 1 verified, 2 submitted a payment, 3 approved. The job
-- moves a student between the steps, since only it knows the one counted so far. Students who were deleted stay counted.
create table student_totals (
  joined_on date not null,
  step smallint not null,
  students bigint not null,
  primary key (joined_on, step)
);
-- No foreign key: a lock on the account would make the job and a deletion wait for each other. The job deletes the row.
create table student_steps (
  account_id uuid primary key,
  joined_on date not null,
  step smallint not null
);
create table student_changes (
  id bigint generated always as identity primary key,
  account_id uuid not null
);
create function note_student() returns trigger language plpgsql as $$
declare
  changed jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  insert into student_changes (account_id)
  select (changed ->> tg_argv[0])::uuid where changed ->> tg_argv[0] is not null;
  return null;
end $$;
create trigger accounts_step after insert or delete or update of email_verified_at on accounts
  for each row execute function note_student('id');
create trigger payment_requests_step after insert or delete or update of status on payment_requests
  for each row execute function note_student('user_id');

insert into student_steps
select
  id,
  (created_at at time zone 'UTC')::date,
  case
    when exists (select from payment_requests where user_id = accounts.id and status = 'approved') then 3
    when exists (select from payment_requests where user_id = accounts.id) then 2
    when email_verified_at is not null then 1
    else 0
  end
from accounts where role = 'student';
insert into student_totals select joined_on, step, count(*) from student_steps group by 1, 2;

-- STATS-8: the set-up card, once the admin has dismissed it or its steps are done.
create table setup_card (
  id integer primary key default 1 check (id = 1),
  closed_at timestamptz not null
);
