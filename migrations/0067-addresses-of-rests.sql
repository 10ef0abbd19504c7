-- QUOTE-7: whether an address was told to a student for a rest.
create index payment_requests_rest_destinations on payment_requests using gin (rest_destinations) where rest_destinations <> '{}';
