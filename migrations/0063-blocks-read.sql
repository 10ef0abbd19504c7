-- CHAIN-4: when every block up to the newest was read last; null while destinations wait for blocks before it.
alter table ethereum_scan add column tip_at timestamptz;
