-- REOPEN-3: what the undone approval had stated as received, if anything. Of receipts that were cancelled before, the audit log has it.
alter table cancelled_receipts add column amount_received numeric;
update cancelled_receipts set amount_received = (entry.details -> 'before' ->> 'amount_received')::numeric
from audit_log as entry
where entry.subject_id = request_id::text
  and entry.action = 'payment-request.reopen'
  and entry.details -> 'before' ->> 'receipt_number' = receipt_number;
