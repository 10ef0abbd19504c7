-- What is known of an upload before its last byte. Its bytes are in the store, under the same id.
create table unfinished_uploads (
  id uuid primary key,
  owner_id uuid not null references accounts on delete cascade,
  bucket text not null check (bucket in ('payment-screenshots', 'course-videos')),
  size bigint not null check (size > 0),
  metadata jsonb not null,
  created_at timestamptz not null
);
create index unfinished_uploads_owner on unfinished_uploads (owner_id);
create index unfinished_uploads_created on unfinished_uploads (created_at);
