-- The newest decided approvals of an agent's skill and tool, for the comparison with one that waits.
create index approvals_alike on approvals (organization, environment, agent, skill, id)
  where status in ('approved', 'consumed', 'stale', 'rejected', 'changes_requested');
