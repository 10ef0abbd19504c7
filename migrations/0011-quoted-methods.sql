-- What a quote promises for each method, as one list: a new method needs no new columns.
alter table quotes add column methods jsonb;
update quotes set methods = jsonb_build_array(
  jsonb_build_object('crypto_type', 'bitcoin', 'available', bitcoin_address <> '',
    'amount_crypto', bitcoin_amount::text, 'wallet_address', bitcoin_address),
  jsonb_build_object('crypto_type', 'ethereum', 'available', ethereum_address <> '',
    'amount_crypto', ethereum_amount::text, 'wallet_address', ethereum_address),
  jsonb_build_object('crypto_type', 'thai_bank', 'available', thai_bank_name <> '' and thai_bank_account_number <> '',
    'amount_crypto', thai_bank_amount::text,
    'wallet_address', case when thai_bank_name <> '' and thai_bank_account_number <> ''
      then thai_bank_name || ' ' || thai_bank_account_number else '' end)
    || case when thai_bank_name <> '' and thai_bank_account_number <> '' then jsonb_build_object('bank', jsonb_build_object(
      'name', thai_bank_name, 'account_number', thai_bank_account_number,
      'account_name', thai_bank_account_name, 'promptpay_id', promptpay_id)) else '{}' end
);
alter table quotes
  alter column methods set not null,
  add constraint quotes_methods check (jsonb_typeof(methods) = 'array' and jsonb_array_length(methods) > 0),
  drop column bitcoin_amount, drop column bitcoin_address, drop column bitcoin_price_usd,
  drop column ethereum_amount, drop column ethereum_address, drop column ethereum_price_usd,
  drop column thai_bank_amount, drop column thai_bank_name, drop column thai_bank_account_number,
  drop column thai_bank_account_name, drop column promptpay_id;
