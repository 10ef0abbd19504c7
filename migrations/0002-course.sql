create table stored_objects (
  id uuid primary key,
  bucket text not null check (bucket in ('payment-screenshots', 'course-videos')),
  name text not null,
  filename text not null,
  owner_id uuid references accounts on delete set null,
  content_type text not null,
  size bigint not null check (size > 0),
  sha256 bytea,
  created_at timestamptz not null,
  unique (bucket, name)
);
create index stored_objects_owner on stored_objects (owner_id);
create index stored_objects_created on stored_objects (created_at);

create table videos (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(title) between 1 and 200),
  description text not null,
  video_url text,
  object_id uuid unique references stored_objects,
  module text not null check (length(module) between 1 and 100),
  order_index integer not null check (order_index >= 1),
  package_type text not null check (package_type in ('both', 'starter', 'advanced')),
  created_at timestamptz not null,
  check ((video_url is null) <> (object_id is null))
);
create index videos_in_order on videos (module, order_index, id);
