-- Never filled; what a file is now stands in screenshot_fingerprints.
alter table stored_objects drop column sha256;

-- What a screenshot is: its bytes, and the picture in them where it can be drawn (docs/decisions/031-duplicate-screenshots.md).
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

-- Two screenshots that are alike, in both directions.
create table screenshot_likenesses (
  object_id uuid not null references stored_objects on delete cascade,
  other_object_id uuid not null references stored_objects on delete cascade check (other_object_id <> object_id),
  kind text not null check (kind in ('same_file', 'same_picture')),
  primary key (object_id, other_object_id)
);
create index screenshot_likenesses_other on screenshot_likenesses (other_object_id);
