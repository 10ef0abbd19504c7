-- STATS-5: a student deleted before the job has counted them is counted at the step reached, which only the deletion still knows.
-- Locked before student_changes, as sign-ups and deletions do, so that this cannot deadlock with them.
lock table accounts in share row exclusive mode;

alter table student_changes
  add column joined_on date,
  add column step smallint,
  add constraint student_changes_of_deletion check ((joined_on is null) = (step is null));

create function student_step(account accounts) returns smallint language sql stable as $$
  select case
    when exists (select from payment_requests where user_id = account.id and status = 'approved') then 3
    when exists (select from payment_requests where user_id = account.id) then 2
    when account.email_verified_at is not null then 1
    else 0
  end
$$;

-- Before, since a deletion empties the payer of the requests.
create function note_deleted_student() returns trigger language plpgsql as $$
begin
  insert into student_changes (account_id, joined_on, step)
  values (old.id, (old.created_at at time zone 'UTC')::date, student_step(old));
  return old;
end $$;
create trigger accounts_deleted_step before delete on accounts
  for each row when (old.role = 'student') execute function note_deleted_student();

-- From now on the row of a deletion removes what was counted last; of earlier deletions there is none.
delete from student_steps where not exists (select from accounts where accounts.id = student_steps.account_id);
