-- LIVE-1: pages display whether a second factor is on, and which new address waits for its code.
create function notify_own_account() returns trigger language plpgsql as $$
declare
  account uuid := coalesce(new.account_id, old.account_id);
begin
  perform pg_notify('changes', json_build_object('topic', 'profile', 'id', account, 'user_id', account)::text);
  return null;
end $$;

create trigger mfa_factors_verified_notify after update on mfa_factors
  for each row when (new.verified_at is distinct from old.verified_at) execute function notify_own_account();
create trigger mfa_factors_deleted_notify after delete on mfa_factors
  for each row when (old.verified_at is not null) execute function notify_own_account();

create trigger email_changes_notify after insert or delete on email_changes
  for each row execute function notify_own_account();
-- Not for a try of its code.
create trigger email_changes_address_notify after update on email_changes
  for each row when (new.new_email <> old.new_email or new.expires_at <> old.expires_at) execute function notify_own_account();
