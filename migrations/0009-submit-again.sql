-- PAY-10: a rejected request can be submitted again once.
alter table payment_requests add column resubmits uuid unique references payment_requests;

-- A rejected request leaves its screenshot to the one that submits it again.
alter table payment_requests drop constraint payment_requests_screenshot_object_id_key;
create unique index payment_requests_screenshot_object_id_key on payment_requests (screenshot_object_id)
  where status <> 'rejected';
create index payment_requests_screenshot on payment_requests (screenshot_object_id);
