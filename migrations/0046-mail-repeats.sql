-- MAIL-12: an attempt ended and nobody can tell whether the server has taken the mail, so that it may arrive twice.
alter table mail_outbox add column may_repeat boolean not null default false;
