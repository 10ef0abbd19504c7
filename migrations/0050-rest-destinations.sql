-- PART-4: where the student was told to send the rest, in that order.
alter table payment_requests add column rest_destinations text[] not null default '{}';
