-- CHAIN-6: a node of Ethereum that does not have the newest blocks.
alter table chain_services
  drop constraint chain_services_problem_check,
  add constraint chain_services_problem_check check (problem in ('unreachable', 'overloaded', 'wrong_network', 'behind'));
