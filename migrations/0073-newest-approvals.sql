-- PAY-7: the newest approvals, whenever their requests were submitted.
create index payment_requests_approvals on payment_requests (decided_at) where status = 'approved';
