-- EVIDENCE-6: whether some evidence of a pending request needs a second look, for filters and counts.
alter table payment_requests
  add column flagged boolean not null default false,
  add constraint payment_requests_flagged check (not flagged or status = 'pending');

-- REOPEN-2: counts every time the tier is set, to the same value too, by whichever program.
alter table profiles add column tier_changes bigint not null default 0;
create function count_tier_change() returns trigger language plpgsql as $$
begin
  new.tier_changes := old.tier_changes + 1;
  return new;
end $$;
create trigger profiles_tier_changes before update of subscription_status on profiles
  for each row execute function count_tier_change();

-- REOPEN-1, REOPEN-2: what the decision of a request replaced. Deleted when the request is reopened.
create table payment_decisions (
  request_id uuid primary key references payment_requests on delete cascade,
  amount_received numeric,
  rest_asked_at timestamptz,
  -- Of an approval: the tier before, and the number of the tier's change before and by it.
  tier_before text check (tier_before in ('unpaid', 'starter', 'advanced')),
  tier_change_before bigint,
  tier_change bigint,
  constraint payment_decisions_tier check (num_nonnulls(tier_before, tier_change_before, tier_change) in (0, 3))
);

-- Earlier approvals: the audit log has the tier before. Only the last one that set a tier can still be what set the present one.
insert into payment_decisions (request_id, tier_before, tier_change_before, tier_change)
select
  request.id,
  approval.tier_before,
  case when approval.tier_before is not null then -2 end,
  case
    when approval.tier_before is null then null
    when approval.is_last and profiles.subscription_status = request.package_type then 0
    else -1
  end
from payment_requests as request
left join profiles on profiles.id = request.user_id
left join (
  select
    subject_id,
    action,
    details ->> 'tier_before' as tier_before,
    row_number() over (partition by coalesce(details ->> 'user_id', subject_id) order by id desc) = 1 as is_last
  from audit_log
  where action in ('payment-request.approve', 'user.tier')
) as approval on approval.action = 'payment-request.approve' and approval.subject_id = request.id::text and request.status = 'approved'
where request.status <> 'pending';

-- REOPEN-3: the numbers of receipts whose approvals were undone.
create table cancelled_receipts (
  receipt_number text primary key,
  request_id uuid not null references payment_requests,
  approved_at timestamptz not null,
  approved_by text not null,
  cancelled_at timestamptz not null,
  cancelled_by text not null,
  reason text not null check (reason <> '')
);
create index cancelled_receipts_of_request on cancelled_receipts (request_id, cancelled_at);

-- DECIDE-8: the reasons that the admin chooses from when rejecting.
create table rejection_reasons (
  position integer primary key check (position between 1 and 20),
  reason text not null check (length(reason) between 1 and 500)
);
insert into rejection_reasons (position, reason) values
  (1, 'The amount that arrived is less than the amount due.'),
  (2, 'We found no payment. Please check that it was sent, and to which address.'),
  (3, 'The picture cannot be read. Please upload a clear screenshot of the whole payment.'),
  (4, 'The payment went to another address than the one we asked for.');
create trigger rejection_reasons_notify after insert or update or delete on rejection_reasons
  for each row execute function notify_change('rejection-reasons');
