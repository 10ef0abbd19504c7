-- QUOTE-7: whether an address was told to a student for a rest.
create index payment_requests_rest_destinations on payment_requests using gin (rest_destinations) where rest_destinations <> '{}';

-- LIST-2: what requests are searched by is composed as searches are, while destinations stay as they were typed, since they are compared. Only UTF8
-- has such forms.
create or replace function set_search_text() returns trigger language plpgsql as $$
declare
  texts text := concat_ws(' ',
    new.payer_email, new.payer_full_name, new.wallet_address, new.earlier_wallet_address, new.reference, new.coupon_code,
    new.receipt_number, trim_scale(new.amount_usd), trim_scale(new.amount_crypto), trim_scale(new.earlier_amount_usd),
    trim_scale(new.earlier_amount_crypto), trim_scale(new.amount_received),
    (select string_agg(concat_ws(' ', reference, wallet_address, trim_scale(amount_asked)), ' ' order by submitted_at, id)
      from payment_request_parts where payment_request_id = new.id),
    (select string_agg(receipt_number, ' ' order by receipt_number) from cancelled_receipts where request_id = new.id));
begin
  if current_setting('server_encoding') = 'UTF8' then
    texts := normalize(texts, NFC);
  end if;
  new.search_text := search_form(texts);
  return new;
end $$;

-- Nobody's page has to hear of this.
alter table payment_requests disable trigger payment_requests_notify;
do $$ begin
  if current_setting('server_encoding') = 'UTF8' then
    update payment_requests set search_text = '' where search_text is not NFC normalized;
  end if;
end $$;
alter table payment_requests enable trigger payment_requests_notify;
