-- PAY-4: 0023-disputes.sql brings references into one form before it drops this index, so the index must no longer be unique by then.
-- A database that has 0023 already has no such index.
do $$
begin
  if to_regclass('payment_requests_reference_key') is null then return; end if;
  drop index payment_requests_reference_key;
  create index payment_requests_reference_key on payment_requests (reference);
end
$$;
