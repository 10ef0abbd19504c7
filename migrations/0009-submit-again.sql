-- PAY-10: a rejected request can be submitted again once.
alter table payment_requests add column resubmits uuid unique references payment_requests;

-- A rejected request leaves its screenshot to the one that submits it again.
alter table payment_requests drop constraint payment_requests_screenshot_object_id_key;
create unique index payment_requests_screenshot_object_id_key on payment_requests (screenshot_object_id)
  where status <> 'rejected';
create index payment_requests_screenshot on payment_requests (screenshot_object_id);

-- DECIDE-7: what had arrived of a payment that was rejected, in its currency.
alter table payment_requests add column amount_received numeric,
  add constraint payment_requests_amount_received check (
    amount_received is null or (status = 'rejected' and amount_received >= 0 and amount_received < amount_crypto)
  );

-- PAY-11: where nothing is to be paid there is no payment to describe.
alter table payment_requests
  alter column crypto_type drop not null,
  alter column amount_crypto drop not null,
  alter column wallet_address drop not null,
  alter column screenshot_url drop not null,
  alter column screenshot_object_id drop not null,
  add constraint payment_requests_nothing_to_pay check (
    num_nulls(crypto_type, amount_crypto, wallet_address, screenshot_url, screenshot_object_id) = 0
    or (
      amount_usd = 0
      and num_nonnulls(
        crypto_type, amount_crypto, wallet_address, screenshot_url, screenshot_object_id, reference, earlier_amount_usd,
        amount_received
      ) = 0
    )
  );
