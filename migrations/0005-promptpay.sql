-- Optional: a PromptPay ID of the Thai bank account, digits alone; a quote keeps the one it was made with.
alter table wallet_settings add column promptpay_id text not null default ''
  check (promptpay_id ~ '^(0\d{9}|\d{13}|\d{15})?$');
alter table quotes add column promptpay_id text not null default '';
