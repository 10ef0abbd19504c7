-- QUOTE-6: the quote in whose place a page displayed this one. No foreign key: that one is deleted a week after it ended.
alter table quotes add column replaces uuid;
