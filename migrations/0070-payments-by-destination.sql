-- CHAIN-5: where a transaction counts for a request. That of a further part is not the lookup's once the shop's destination has changed.
alter table chain_payments add column destination text;
update chain_payments paid
  set destination = coalesce(
    (
      select found ->> 'restDestination' from jsonb_array_elements(lookup.facts -> 'transactions') found
      where found ->> 'id' = paid.transaction_id
    ),
    (
      select case lookup.coin when 'ethereum' then lower(part.wallet_address) else part.wallet_address end
      from payment_request_parts part
      where part.payment_request_id = paid.request_id and part.reference = paid.transaction_id limit 1
    ),
    lookup.destination
  )
  from chain_lookups lookup where lookup.request_id = paid.request_id;
alter table chain_payments alter column destination set not null;
