-- LIVE-1: every change, by whichever process or by psql, is notified on one channel; ids only, since a payload ends at 8,000 bytes.
create function notify_change() returns trigger language plpgsql as $$
declare
  changed jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  perform pg_notify('changes', json_build_object(
    'topic', tg_argv[0],
    'id', changed ->> 'id',
    'user_id', case tg_argv[0] when 'profile' then changed ->> 'id' else changed ->> 'user_id' end
  )::text);
  return null;
end $$;

create trigger videos_notify after insert or update or delete on videos
  for each row execute function notify_change('videos');
create trigger profiles_notify after insert or update or delete on profiles
  for each row execute function notify_change('profile');
create trigger payment_requests_notify after insert or update or delete on payment_requests
  for each row execute function notify_change('payment-requests');

-- The end of a session closes its open streams.
create function notify_session_end() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (new.revoked_at is not null and old.revoked_at is null) then
    perform pg_notify('changes', json_build_object('topic', 'session-end', 'id', old.id, 'user_id', old.account_id)::text);
  end if;
  return null;
end $$;
create trigger sessions_notify after update or delete on sessions for each row execute function notify_session_end();

-- Wakes the mailer of whichever process listens.
create function notify_mail() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', '{"topic":"mail"}');
  return null;
end $$;
create trigger mail_outbox_notify after insert on mail_outbox for each statement execute function notify_mail();
