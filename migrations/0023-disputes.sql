-- PAY-4: a bank reference is stored as its letters and digits only. Texts with fewer than 4 of them stay as they are. Of approved requests
-- whose references become one, the one already in this form keeps it, else the first decided: only one of them can be approved.
with forms as (
  select
    id,
    form,
    status <> 'approved' or row_number() over (
      partition by status = 'approved', form order by reference <> form, decided_at, id
    ) = 1 as is_free
  from (
    select *, regexp_replace(reference, '[^A-Z0-9]', '', 'g') as form from payment_requests where crypto_type = 'thai_bank'
  ) as bank_requests
)
update payment_requests set reference = forms.form
from forms
where forms.id = payment_requests.id and reference <> forms.form and length(forms.form) >= 4 and forms.is_free;

-- EVIDENCE-2: requests may dispute a transaction; one of them can be approved.
drop index payment_requests_reference_key;
create unique index payment_requests_approved_reference on payment_requests (crypto_type, reference)
  where status = 'approved';
