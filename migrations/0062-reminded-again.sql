-- LIVESESSION-7: who was told of a start in more than an hour is reminded of it, and mailed when it changes before.
alter table live_reminders add column remind_again boolean not null default false;
