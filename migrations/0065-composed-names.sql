-- LIST-2: names are stored with their accents composed, as they are searched. Only UTF8 has such forms. Some letters become two by it.
do $$ begin
  if current_setting('server_encoding') = 'UTF8' then
    update profiles set full_name = left(normalize(full_name, NFC), 100) where full_name is not NFC normalized;
    update payment_requests set payer_full_name = normalize(payer_full_name, NFC) where payer_full_name is not NFC normalized;
  end if;
end $$;
