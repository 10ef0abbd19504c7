-- LIST-2: texts are searched by the sequences of three characters in them. The extension pg_trgm drops every letter outside of ASCII where the
-- database's LC_CTYPE is C, as the embedded one's is (docs/decisions/041-searches-have-an-index-of-their-own.md).

-- Words in lower case, each after two spaces, by which a search of one or two characters finds beginnings of words.
create function search_form(value text) returns text language sql immutable strict parallel safe
  return regexp_replace(' ' || lower(value), '\s+', '  ', 'g');

-- Every three characters of a text in that form, and tags, each after a prefix. The cost keeps the planner from computing it for many rows, and
-- `parallel restricted` from starting processes for each of a list's small steps.
create function search_keys(form text, tags text[] default '{}', prefix text default '') returns text[]
  language plpgsql immutable strict parallel restricted cost 10000 as $$
declare
  letters text[] := string_to_array(form, null);
  keys text[] := '{}';
begin
  for i in 1 .. cardinality(tags) loop
    keys := keys || (prefix || tags[i]);
  end loop;
  for i in 3 .. cardinality(letters) loop
    keys := keys || (prefix || letters[i - 2] || letters[i - 1] || letters[i]);
  end loop;
  return keys;
end $$;

-- The week of a time.
create function search_week(at timestamptz) returns integer language sql immutable strict parallel safe
  return floor(extract(epoch from at at time zone 'UTC') / 604800)::integer;

alter table payment_requests add column search_text text not null default '';

create function set_search_text() returns trigger language plpgsql as $$
begin
  new.search_text := search_form(concat_ws(' ',
    new.payer_email, new.payer_full_name, new.wallet_address, new.earlier_wallet_address, new.reference, new.coupon_code,
    new.receipt_number, trim_scale(new.amount_usd), trim_scale(new.amount_crypto), trim_scale(new.earlier_amount_usd),
    trim_scale(new.earlier_amount_crypto), trim_scale(new.amount_received),
    (select string_agg(concat_ws(' ', reference, wallet_address, trim_scale(amount_asked)), ' ' order by submitted_at, id)
      from payment_request_parts where payment_request_id = new.id),
    (select string_agg(receipt_number, ' ' order by receipt_number) from cancelled_receipts where request_id = new.id)));
  return new;
end $$;
create trigger payment_requests_search_text before insert or update on payment_requests
  for each row execute function set_search_text();

-- A further part, or a receipt that is cancelled, changes what its request is searched by.
create function refresh_search_text() returns trigger language plpgsql as $$
begin
  update payment_requests set search_text = '' where id = (to_jsonb(new) ->> tg_argv[0])::uuid;
  return null;
end $$;
create trigger payment_request_parts_search_text after insert on payment_request_parts
  for each row execute function refresh_search_text('payment_request_id');
create trigger cancelled_receipts_search_text after insert on cancelled_receipts
  for each row execute function refresh_search_text('request_id');

-- Nobody's page has to hear of this.
alter table payment_requests disable trigger payment_requests_notify;
update payment_requests set search_text = '';
alter table payment_requests enable trigger payment_requests_notify;

-- Filters are keys too, so that a rare state with a frequent word is as fast as the reverse. Each key belongs to a week: what is searched and
-- written stays small, however many weeks there are.
create function payment_request_keys(
  search_text text, status text, crypto_type text, package_type text, flagged boolean, created_at timestamptz
) returns text[] language sql immutable parallel restricted cost 10000
  return search_keys(
    search_text,
    array['status:' || status, 'method:' || coalesce(crypto_type, 'none'), 'package:' || package_type, 'flagged:' || flagged],
    search_week(created_at) || ':'
  );
create index payment_requests_search on payment_requests
  using gin (payment_request_keys(search_text, status, crypto_type, package_type, flagged, created_at))
  with (gin_pending_list_limit = 256);
-- Statistics of an expression are computed from thousands of rows at every analyze, and this query needs none.
alter index payment_requests_search alter column 1 set statistics 0;

create index profiles_search on profiles using gin (search_keys(search_form(email || ' ' || full_name))) with (gin_pending_list_limit = 256);
alter index profiles_search alter column 1 set statistics 0;
