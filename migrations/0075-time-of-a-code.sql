-- SESSION-3: once the second factor is off, the time of its code stays, so that tokens from before it are still refused.
alter table sessions
  drop constraint sessions_second_factor,
  add constraint sessions_second_factor check (second_factor_by is null or second_factor_at is not null);
