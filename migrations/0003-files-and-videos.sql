create table stored_objects (
  id uuid primary key,
  bucket text not null check (bucket in ('payment-screenshots', 'course-videos')),
  name text not null,
  filename text not null,
  owner_id uuid references accounts on delete set null,
  content_type text not null,
  size bigint not null check (size > 0),
  created_at timestamptz not null,
  unique (bucket, name)
);
create index stored_objects_owner on stored_objects (owner_id);
create index stored_objects_created on stored_objects (created_at);

-- An upload before its last byte; the bytes are in the store under the same id.
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

-- A screenshot's bytes and, where it can be decoded, its picture (docs/decisions/013-duplicate-screenshots.md).
create table screenshot_fingerprints (
  object_id uuid primary key references stored_objects on delete cascade,
  sha256 bytea not null check (length(sha256) = 32),
  picture bytea check (length(picture) = 18432),
  edges bit(36480),
  bands integer[],
  constraint screenshot_fingerprints_whole_picture check (num_nonnulls(picture, edges, bands) in (0, 3))
);
create index screenshot_fingerprints_sha256 on screenshot_fingerprints (sha256);
create index screenshot_fingerprints_bands on screenshot_fingerprints using gin (bands);

-- DECIDE-6: two screenshots of one file or one picture, in both directions.
create table duplicate_screenshots (
  object_id uuid not null references stored_objects on delete cascade,
  other_object_id uuid not null references stored_objects on delete cascade check (other_object_id <> object_id),
  kind text not null check (kind in ('same_file', 'same_picture')),
  primary key (object_id, other_object_id)
);
create index duplicate_screenshots_other on duplicate_screenshots (other_object_id);

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
  constraint videos_one_source check ((video_url is null) <> (object_id is null))
);
create index videos_in_order on videos (module, order_index, id);
