-- MAIL-8, ACCOUNT-8: whose choice of which kind lets an optional mail be sent, so that one that waits is dropped when the choice is turned off, and
-- deleted with the account.
alter table mail_outbox
  add column account_id uuid references accounts on delete cascade,
  add column optional_kind text check (optional_kind in ('news', 'live_session_reminder'));
create index mail_outbox_account on mail_outbox (account_id) where account_id is not null;
