-- What the rollups have not looked at yet: rows of a kind (`task`, `approval`, `violation`, `delivery`) that came or changed, `at` the beginning of the transaction.
-- Written by triggers, so that nothing that changes these tables can forget it. Taken and deleted by one process at a time.
create table analytics_pending (
  organization text collate "C" not null,
  environment text collate "C" not null,
  kind text collate "C" not null,
  -- Of a violation `<id>/<source>`, of a delivery `<id>/<webhook_id>`.
  id text collate "C" not null,
  at timestamptz not null default now()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- Numbers of the values that a dimension takes; 0 stands for all values beyond its limit (`other`), 1 for none (null). They never change. The values of dimension
-- `label` are the labels that were ever declared: number 2 is that of the first column after a family's own dimensions, and so on. A block that has fewer columns is
-- from before a label was declared. The values of a label are those of the dimension `label:<name>`.
create table analytics_values (
  organization text collate "C" not null,
  environment text collate "C" not null,
  dimension text collate "C" not null,
  number integer not null,
  value text collate "C" not null,
  constraint analytics_values_pkey primary key (organization, environment, dimension, number),
  constraint analytics_values_value_key unique (organization, environment, dimension, value)
);

-- What a source contributes to the rollups now, so that a change takes back exactly that. `family` is that of its kind; a task's includes what its steps contribute.
-- `source` is as in analytics_pending: its id begins with its time, which is the minute in which everything of it stands.
create table analytics_facts (
  organization text collate "C" not null,
  environment text collate "C" not null,
  family text collate "C" not null,
  source text collate "C" not null,
  body text not null,
  constraint analytics_facts_pkey primary key (organization, environment, family, source)
);

-- Rollups: what was counted in a minute (in parts, each what one look added), and the same merged by hours and days. What there is of a bucket is the sum of its parts,
-- at each grain: a late change adds a part to its minute, and to its hour and day where these are merged already. A part never changes; compaction replaces some by one.
create table analytics_blocks (
  organization text collate "C" not null,
  environment text collate "C" not null,
  family text collate "C" not null,
  grain text collate "C" not null check (grain in ('minute', 'hour', 'day')),
  -- Its beginning, in minutes since the epoch.
  bucket integer not null,
  part bigint generated always as identity,
  rows integer not null,
  dims bytea not null,
  sums bytea not null,
  bins bytea not null,
  constraint analytics_blocks_pkey primary key (organization, environment, family, grain, bucket, part)
);
alter table analytics_blocks alter column dims set storage external, alter column sums set storage external, alter column bins set storage external;

-- Hours and days that are not merged: their blocks, if any, do not count.
create table analytics_unmerged (
  organization text collate "C" not null,
  environment text collate "C" not null,
  family text collate "C" not null,
  grain text collate "C" not null check (grain in ('hour', 'day')),
  bucket integer not null,
  constraint analytics_unmerged_pkey primary key (organization, environment, family, grain, bucket)
);

-- What is being counted anew from the tables, a step of some minutes at a time: of an environment the last one that was asked for. Minutes since the epoch.
create table analytics_rebuilds (
  organization text collate "C" not null,
  environment text collate "C" not null,
  starts integer not null,
  ends integer not null,
  -- Up to here it is done.
  done integer not null,
  sources bigint not null default 0,
  requested_by text collate "C" not null,
  requested_at timestamptz not null,
  finished_at timestamptz,
  constraint analytics_rebuilds_pkey primary key (organization, environment)
);

-- Approvals of a task, which its facts count.
create index approvals_of_task on approvals (organization, environment, task_id);

create function analytics_note_tasks() returns trigger language plpgsql as $$
begin
  insert into analytics_pending (organization, environment, kind, id) select organization, environment, 'task', id from written;
  return null;
end
$$;
create function analytics_note_approvals() returns trigger language plpgsql as $$
begin
  insert into analytics_pending (organization, environment, kind, id) select organization, environment, 'approval', id from written;
  return null;
end
$$;
create function analytics_note_violations() returns trigger language plpgsql as $$
begin
  insert into analytics_pending (organization, environment, kind, id) select organization, environment, 'violation', id || '/' || source from written;
  return null;
end
$$;
create function analytics_note_deliveries() returns trigger language plpgsql as $$
begin
  insert into analytics_pending (organization, environment, kind, id) select organization, environment, 'delivery', id || '/' || webhook_id from written;
  return null;
end
$$;
-- Inserts come many to a statement: one call for all of its rows.
create trigger analytics_inserted after insert on tasks
  referencing new table as written for each statement execute function analytics_note_tasks();
create trigger analytics_inserted after insert on approvals
  referencing new table as written for each statement execute function analytics_note_approvals();
create trigger analytics_inserted after insert on violations
  referencing new table as written for each statement execute function analytics_note_violations();
create trigger analytics_inserted after insert on deliveries
  referencing new table as written for each statement execute function analytics_note_deliveries();

-- Updates are many, such as of leases and costs, and few of them matter: a call for each row that does.
create function analytics_note_task() returns trigger language plpgsql as $$
begin
  insert into analytics_pending (organization, environment, kind, id) values (new.organization, new.environment, 'task', new.id);
  return null;
end
$$;
create function analytics_note_task_of() returns trigger language plpgsql as $$
begin
  insert into analytics_pending (organization, environment, kind, id) values (new.organization, new.environment, 'task', new.task_id);
  return null;
end
$$;
create function analytics_note_approval() returns trigger language plpgsql as $$
begin
  insert into analytics_pending (organization, environment, kind, id) values (new.organization, new.environment, 'approval', new.id);
  return null;
end
$$;
create function analytics_note_delivery() returns trigger language plpgsql as $$
begin
  insert into analytics_pending (organization, environment, kind, id)
  values (new.organization, new.environment, 'delivery', new.id || '/' || new.webhook_id);
  return null;
end
$$;
create function analytics_forget_judgement() returns trigger language plpgsql as $$
begin
  insert into analytics_pending (organization, environment, kind, id) values (old.organization, old.environment, 'task', old.id);
  return null;
end
$$;

-- While a task is open, only what it was dispatched with counts; the rest when it has ended.
create trigger analytics_changed
  after update of status, finished_at, started_at, cost_usd, tokens, trust_score, labels, version_id, risk_level, principal, key_id, run_id, conversation on tasks
  for each row when (
    (old.trust_score, old.labels, old.version_id, old.risk_level, old.principal, old.key_id, old.run_id, old.conversation)
      is distinct from (new.trust_score, new.labels, new.version_id, new.risk_level, new.principal, new.key_id, new.run_id, new.conversation)
    or (old.status <> new.status or old.cost_usd <> new.cost_usd or old.tokens <> new.tokens
        or (old.started_at, old.finished_at) is distinct from (new.started_at, new.finished_at))
      and (old.status in ('completed', 'failed', 'rejected', 'expired', 'blocked', 'cancelled')
        or new.status in ('completed', 'failed', 'rejected', 'expired', 'blocked', 'cancelled')))
  execute function analytics_note_task();
-- Steps end before their task does, or with it. What is settled of one afterwards is another state of an ended step.
create trigger analytics_changed after update of state, cost_usd, tokens, finished_at on steps
  for each row when (old.state <> 'started'
    and (old.state, old.cost_usd, old.tokens, old.finished_at) is distinct from (new.state, new.cost_usd, new.tokens, new.finished_at))
  execute function analytics_note_task_of();
create trigger analytics_changed after update of status, decided_at, decided_by, edited_by, risk_level on approvals
  for each row when ((old.status, old.decided_at, old.decided_by, old.edited_by, old.risk_level)
    is distinct from (new.status, new.decided_at, new.decided_by, new.edited_by, new.risk_level))
  execute function analytics_note_approval();
create trigger analytics_changed after update of state, finished_at, attempts on deliveries
  for each row when ((old.state, old.finished_at) is distinct from (new.state, new.finished_at) or old.attempts <> new.attempts and new.state <> 'pending')
  execute function analytics_note_delivery();
create trigger analytics_inserted after insert on trust_judgements
  for each row when (new.id like 'tsk\_%') execute function analytics_note_task();
create trigger analytics_changed after update of outcome, source, judged_at on trust_judgements
  for each row when (new.id like 'tsk\_%' and (old.outcome, old.source, old.judged_at) is distinct from (new.outcome, new.source, new.judged_at))
  execute function analytics_note_task();
create trigger analytics_deleted after delete on trust_judgements
  for each row when (old.id like 'tsk\_%') execute function analytics_forget_judgement();

-- What there is already.
insert into analytics_pending (organization, environment, kind, id) select organization, environment, 'task', id from tasks;
insert into analytics_pending (organization, environment, kind, id) select organization, environment, 'approval', id from approvals;
insert into analytics_pending (organization, environment, kind, id) select organization, environment, 'violation', id || '/' || source from violations;
insert into analytics_pending (organization, environment, kind, id) select organization, environment, 'delivery', id || '/' || webhook_id from deliveries;
