-- RUN-7: which secrets the database is used with. The first start writes it, and a process with others is refused: of two machines that start at
-- once, each makes its own.
create table secrets_fingerprint (
  id integer primary key default 1 check (id = 1),
  fingerprint bytea not null
);
