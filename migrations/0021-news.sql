-- NEWS-1: short announcements by the seller.
create table news (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) between 1 and 120),
  body text not null check (length(body) between 1 and 5000),
  audience text not null check (audience in ('everyone', 'starter', 'advanced')),
  published_at timestamptz not null,
  edited_at timestamptz,
  -- Made by the admin's browser, so that a repeated click publishes once.
  idempotency_key text not null unique
);
create index news_newest on news (published_at desc, id desc);

-- NEWS-3: which announcements a student has marked as read.
create table news_reads (
  account_id uuid not null references accounts on delete cascade,
  news_id uuid not null references news on delete cascade,
  read_at timestamptz not null,
  primary key (account_id, news_id)
);
create index news_reads_news on news_reads (news_id);

-- NEWS-4: how far an announcement has been mailed, so that every student gets it once, whatever ends the process.
create table news_mailings (
  news_id uuid primary key references news on delete cascade,
  -- Where the links of its mails lead to.
  origin text not null,
  started_at timestamptz not null,
  -- Accounts up to this one, in the order of their ids, have their mail in the outbox.
  last_account_id uuid,
  mails integer not null default 0 check (mails >= 0),
  finished_at timestamptz
);
create index news_mailings_unfinished on news_mailings (started_at) where finished_at is null;

create trigger news_notify after insert or update or delete on news
  for each row execute function notify_change('news');

-- The student's other tabs.
create function notify_news_read() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', json_build_object('topic', 'news', 'id', new.news_id, 'user_id', new.account_id)::text);
  return null;
end $$;
create trigger news_reads_notify after insert on news_reads
  for each row execute function notify_news_read();

-- Wakes the mailing of whichever process listens.
create function notify_news_mailing() returns trigger language plpgsql as $$
begin
  perform pg_notify('changes', '{"topic":"news-mailing"}');
  return null;
end $$;
create trigger news_mailings_notify after insert on news_mailings
  for each row execute function notify_news_mailing();
