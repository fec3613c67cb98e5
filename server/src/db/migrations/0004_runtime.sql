-- The worker: runs that wait in their middle and go on, are tried again from a step, and ask for what they lack.

alter table tasks
  add column question text, -- JSON: what the run waits to be told; null: nothing
  add column run_approval_id text collate "C", -- the approval of the task as a whole, while approval_id is that of one of its calls
  add column call_approval boolean not null default false, -- approval_id is that of one call of a tool
  add column claimed_at timestamptz, -- when the present or latest claim began
  add column ran_ms bigint not null default 0, -- how long earlier claims of this run ran
  add column retry_step integer, -- steps from this one on that began before retried_at count no more
  add column retried_at timestamptz,
  add column attempts_before smallint not null default 0, -- as it was tried again: attempts, tokens and money before count for no limit
  add column tokens_before bigint not null default 0,
  add column cost_before_usd double precision not null default 0;
