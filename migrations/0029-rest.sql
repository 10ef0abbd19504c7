-- PART-1, PART-3: what has arrived of a payment, in its currency: a part of it until the approval, any amount then.
alter table payment_requests drop constraint payment_requests_amount_received;
alter table payment_requests
  add column rest_asked_at timestamptz,
  -- PART-2: the admin's own.
  add column note text,
  add constraint payment_requests_amount_received check (
    amount_received is null
    or (
      amount_received >= 0
      and (status = 'approved' or amount_received < amount_crypto)
      and (status <> 'pending' or amount_received > 0)
    )
  ),
  add constraint payment_requests_rest_asked check (
    rest_asked_at is null or (status = 'pending' and amount_received is not null)
  );

-- PART-4: the proofs of further parts, which are kept like the request.
create table payment_request_parts (
  id uuid primary key default gen_random_uuid(),
  payment_request_id uuid not null references payment_requests,
  amount_asked numeric not null check (amount_asked > 0),
  wallet_address text not null check (wallet_address <> ''),
  screenshot_url text not null,
  screenshot_object_id uuid not null references stored_objects,
  reference text,
  idempotency_key text not null,
  submitted_at timestamptz not null
);
create unique index payment_request_parts_idempotency on payment_request_parts (payment_request_id, idempotency_key);
create unique index payment_request_parts_screenshot on payment_request_parts (screenshot_object_id);
create index payment_request_parts_reference on payment_request_parts (reference) where reference is not null;
