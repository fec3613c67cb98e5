-- The ledger: what each call that may cost something held, spent and gave back. Money in whole millionths of a US dollar. An entry is written with the effect of
-- its call, or when work that follows the call, such as a model's turn, is over. Entries are never changed, but for `counted`.
create table ledger_entries (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null, -- of the audit record of the call that was allowed to spend
  at timestamptz not null, -- when it was reserved: the windows of budgets count by it
  operation text not null, -- what for: the operation that spent
  object text, -- what on, as the record names it: `model:<name>`, `tool:<name>`, `base:<name>`, …
  agent text collate "C", -- null: no agent's
  principal text collate "C" not null,
  key_id text collate "C",
  task_id text collate "C",
  step_id text collate "C", -- of a model's turn
  reserved bigint not null check (reserved >= 0),
  spent bigint not null check (spent >= 0),
  released bigint not null check (released = greatest(0, reserved - spent)),
  tokens bigint not null default 0,
  price text, -- where its price stands and as of when; null: nobody knows, and nothing was charged
  counted boolean not null default false, -- the windows of budgets that cover it have it
  primary key (organization, environment, id)
);
create index ledger_entries_at on ledger_entries (organization, environment, at);
create index ledger_entries_of_task on ledger_entries (organization, environment, task_id) where task_id is not null;
create index ledger_entries_uncounted on ledger_entries (id) where not counted;

-- What budgets of money have used is the sum over the entries that they cover. Adds those that are not counted yet, and answers how many it took. Whoever sets a
-- budget holds the lock alone while its first window is opened, so that each entry is in it once.
create function count_ledger_entries(most integer) returns integer language plpgsql as $$
declare
  n integer;
begin
  perform pg_advisory_xact_lock_shared(6516519108);
  with taken as materialized (
    select organization, environment, id from ledger_entries where not counted order by id limit most for update),
  marked as (
    update ledger_entries e set counted = true from taken t
    where e.organization = t.organization and e.environment = t.environment and e.id = t.id
    returning e.organization, e.environment, e.at, e.agent, e.principal, e.key_id, e.spent),
  sums as (
    select b.organization, b.environment, b.scope, b.unit, b.period,
      case b.period when 'total' then b.created_at else date_trunc(b.period, m.at, 'UTC') end as starts_at, sum(m.spent)::bigint as used
    from marked m join budgets b on b.organization = m.organization and b.environment = m.environment and b.unit = 'usd'
      and b.scope in ('environment', 'agent:' || m.agent, 'key:' || m.key_id, 'member:' || m.principal)
    where m.spent > 0 and (b.period <> 'total' or m.at >= b.created_at)
    group by 1, 2, 3, 4, 5, 6),
  added as (
    insert into budget_use as u (organization, environment, scope, unit, period, starts_at, used)
    select * from sums order by 1, 2, 3, 4, 5, 6
    on conflict (organization, environment, scope, unit, period, starts_at) do update set used = u.used + excluded.used)
  select count(*) into n from taken;
  return n;
end
$$;

-- What was spent before: by steps of tasks, and outside of them by evaluations, training and shadow runs. Budgets have it already.
insert into ledger_entries (organization, environment, id, at, operation, object, agent, principal, key_id, task_id, step_id, reserved, spent, released, tokens, price, counted)
select organization, environment, id, at, operation, object, agent, principal, key_id, task_id, step_id, micros, micros, 0, tokens, 'before the ledger', true
from (
  select s.organization, s.environment, 'aud_' || substr(s.id, 5) as id, s.started_at as at,
    case s.kind when 'tool' then 'tasks.callTool' else 'tasks.callModel' end as operation, s.kind || ':' || s.name as object, t.agent, t.principal, t.key_id,
    t.id as task_id, s.id as step_id, s.tokens, s.cost_usd
  from steps s join tasks t on t.organization = s.organization and t.environment = s.environment and t.id = s.task_id
  union all
  select e.organization, e.environment, 'aud_' || substr(e.run_id, 5, 10) || substr(md5(e.run_id || e.item || '/' || e.repeat), 1, 16), e.finished_at,
    'tasks.tryModel', 'evaluation:' || e.run_id, r.agent, 'system:worker', null, null, null, e.tokens, e.cost_usd
  from evaluation_results e join evaluation_runs r on r.organization = e.organization and r.environment = e.environment and r.id = e.run_id
  union all
  select t.organization, t.environment, 'aud_' || substr(t.job_id, 5, 10) || substr(md5(t.job_id || t.version_id || '/' || t.item), 1, 16), t.created_at,
    'tasks.tryModel', 'training:' || t.job_id, j.agent, 'system:worker', null, null, null, 0, t.cost_usd
  from training_results t join training_jobs j on j.organization = t.organization and j.environment = t.environment and j.id = t.job_id
  union all
  select organization, environment, 'aud_' || substr(id, 5), coalesce(finished_at, created_at), 'tasks.tryModel', 'shadow:' || id, agent, 'system:worker', null,
    null, null, 0, cost_usd
  from shadow_runs where state <> 'running') as spent,
  lateral (select ceil(round((spent.cost_usd * 1e9)::numeric) / 1000)::bigint as micros) as charged
where micros > 0;

-- What an open task has cost counts in the figures, like everything that was spent.
drop trigger analytics_changed on tasks;
create trigger analytics_changed
  after update of status, finished_at, started_at, cost_usd, tokens, trust_score, labels, version_id, risk_level, principal, key_id, run_id, conversation on tasks
  for each row when (
    (old.trust_score, old.labels, old.version_id, old.risk_level, old.principal, old.key_id, old.run_id, old.conversation, old.cost_usd)
      is distinct from (new.trust_score, new.labels, new.version_id, new.risk_level, new.principal, new.key_id, new.run_id, new.conversation, new.cost_usd)
    or (old.status <> new.status or old.tokens <> new.tokens or (old.started_at, old.finished_at) is distinct from (new.started_at, new.finished_at))
      and (old.status in ('completed', 'failed', 'rejected', 'expired', 'blocked', 'cancelled')
        or new.status in ('completed', 'failed', 'rejected', 'expired', 'blocked', 'cancelled')))
  execute function analytics_note_task();
insert into analytics_pending (organization, environment, kind, id)
select organization, environment, 'task', id from tasks
where cost_usd > 0 and status not in ('completed', 'failed', 'rejected', 'expired', 'blocked', 'cancelled');
