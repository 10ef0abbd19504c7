-- MAIL-8: the optional mails that a student has chosen or turned off. Without a row the default of the student's tier holds.
create table mail_choices (
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('news', 'live_session_reminder')),
  wanted boolean not null,
  chosen_at timestamptz not null,
  primary key (account_id, kind)
);

-- Another tab, or a mail that was unsubscribed from, changes what the account page displays.
create function notify_mail_choice() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', json_build_object('topic', 'profile', 'id', new.account_id, 'user_id', new.account_id)::text);
  return null;
end $$;
create trigger mail_choices_notify after insert or update on mail_choices
  for each row execute function notify_mail_choice();

-- MAIL-10: necessary mails, such as codes, are sent before those that a student can turn off.
alter table mail_outbox add column is_optional boolean not null default false;
