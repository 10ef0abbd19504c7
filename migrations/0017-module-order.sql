-- PATH-1: the seller's order of modules. A module without a row follows the others.
create table module_order (
  module text primary key check (length(module) between 1 and 100),
  position integer not null unique check (position >= 1)
);

-- The order is part of the list of videos. Equal notifications of one transaction are sent once.
create trigger module_order_notify after insert or update or delete on module_order
  for each row execute function notify_change('videos');
