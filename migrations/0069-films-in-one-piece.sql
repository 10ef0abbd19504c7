-- FILE-16: films of earlier versions are read again; one with a long index, which no short film has, is rewritten with its sound beside its picture.
-- Not at once: a process of an earlier version that still runs would leave them as they are.
update films set next_attempt_at = now() + interval '15 minutes', failures = 0
from stored_objects
where id = object_id and playability = 'plays' and next_attempt_at is null and fragments_at is null
  and replaced_by is null and content_type = 'video/mp4' and duration_seconds > 120;
