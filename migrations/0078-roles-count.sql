-- STATS-5: another ADMIN_EMAIL makes a student the admin, or the former admin a student, who counts from then on.
-- Locked before student_changes, as sign-ups and deletions do, so that this cannot deadlock with them.
lock table accounts in share row exclusive mode;

create trigger accounts_role_step after update of role on accounts
  for each row when (old.role is distinct from new.role) execute function note_student('id');

-- Those of earlier changes. The job of a process of an earlier release would leave the admin counted.
with promoted as (
  delete from student_steps using accounts where accounts.id = account_id and role = 'admin' returning joined_on, step
)
update student_totals as total set students = students - 1
from promoted where (total.joined_on, total.step) = (promoted.joined_on, promoted.step);

insert into student_changes (account_id)
select id from accounts where role = 'student' and not exists (select from student_steps where account_id = accounts.id);
