-- $count students and 60 lessons, for `npm run bench`. Triggers are off: nobody is to be told of them.
set session_replication_role = replica;

-- An id that a text always has, in the form of a random one.
create function pg_temp.id_of(name text) returns uuid language sql immutable
  return overlay(overlay(md5(name) placing '4' from 13) placing '8' from 17)::uuid;

insert into accounts (id, email, password_hash, email_verified_at, created_at, last_sign_in_at)
select pg_temp.id_of('student' || i), 'student-' || lpad(i::text, 6, '0') || '@example.com', $hash, now(), now(), now()
from generate_series(1, $count) as i;
insert into profiles (id, email, full_name, subscription_status)
select id, email, 'Student ' || email, 'unpaid' from accounts where email like 'student-%';
insert into sessions (id, account_id, created_at)
select pg_temp.id_of('session' || i), pg_temp.id_of('student' || i), now() from generate_series(1, $count) as i;
update profiles set subscription_status = 'starter' where email = 'student-000001@example.com';

insert into videos (id, title, description, module, order_index, package_type, video_url, created_at)
select
  pg_temp.id_of('video' || i), 'Lesson ' || i || ': what price does', repeat('What this lesson is about, in a sentence or two. ', 4),
  'Module ' || (1 + i % 6), 1 + i / 6, (array['both', 'starter', 'advanced'])[1 + i % 3], 'https://videos.example.com/lessons/' || i, now()
from generate_series(0, 59) as i;
insert into video_progress (account_id, video_id, position_seconds, furthest_seconds, duration_seconds, done, started_at, updated_at)
select pg_temp.id_of('student1'), id, 60, 90, 600, false, now(), now() from videos where order_index < 4;

reset session_replication_role;
