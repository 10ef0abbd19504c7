-- QUOTE-9: what the chain said of an address that nobody paid to, before it may be given again.
alter table bitcoin_addresses
  -- When the chain was asked last.
  add column asked_at timestamptz,
  -- Null while no answer has come. An address with history is never given again.
  add column has_history boolean,
  add constraint bitcoin_addresses_asked check (has_history is null or asked_at is not null);
create index bitcoin_addresses_free on bitcoin_addresses (xpub, asked_at) where not has_history;
