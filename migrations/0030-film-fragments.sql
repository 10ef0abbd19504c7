-- FILE-16: where the table of a film's fragments begins in its file, in bytes. Null without one.
alter table films add column fragments_at bigint check (fragments_at > 0);

-- Films of earlier versions are read again; one with a long index is rewritten.
update films set next_attempt_at = now(), failures = 0
from stored_objects
where id = object_id and playability = 'plays' and next_attempt_at is null and replaced_by is null and content_type = 'video/mp4';
