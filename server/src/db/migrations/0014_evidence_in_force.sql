-- What a verdict was compared with, and how old the outputs are that it stands on.

-- An open verdict says that a version is no worse than the one that was live when it was drawn. Where another one is live, it says nothing of that one, and
-- counts as missing when the version is to be deployed. Verdicts from before get the version that was live at their moment, from the history of deployments;
-- where none was, null is the truth for them too: they were compared with nothing. Dispatch and rollback do not read the column.
alter table gate_verdicts add column against text collate "C";
comment on column gate_verdicts.against is 'Id of the version that was live when it was drawn; null: none was, it was compared with nothing.';
update gate_verdicts g set against = live.id
from agent_versions judged
join deployments d on d.organization = judged.organization and d.agent = judged.agent
join agent_versions live on live.organization = d.organization and live.agent = d.agent and live.number = d.version_number
where judged.organization = g.organization and judged.id = g.version_id and d.environment = g.environment
  and d.created_at <= g.decided_at and (d.state = 'live' or d.ended_at > g.decided_at);

-- The lifetime of evidence counts from the first end of a run. `finished_at` moves on when a gate adds repeats; the outputs from before stay as old as they are.
alter table evaluation_runs add column measured_at timestamptz;
comment on column evaluation_runs.measured_at is 'When it first came to an end: repeats that were added later make it no younger. Null: it has not.';
update evaluation_runs r set measured_at = finished_at where finished_at is not null;
update evaluation_runs r set measured_at = coalesce(
  (select max(e.finished_at) from evaluation_results e
   where e.organization = r.organization and e.environment = r.environment and e.run_id = r.id and e.repeat = 0), r.finished_at)
where r.whole and (r.look > 1 or r.quiet);

-- A gate could be set whose `max_repeats` lay below the standard of `repeats`: no run under it could be judged.
update gates set definition = jsonb_set(definition, '{max_repeats}', definition->'repeats')
where (definition->>'max_repeats')::int < (definition->>'repeats')::int;

-- Each item of a set is evidence once, by the newest run of the set. It was so for each run: of items that were run again, the newest is kept.
with seen as (
  select e.organization, e.environment, e.version_id, e.skill, e.id, r.dataset_id || substr(e.id, strpos(e.id, '/')) as of_item,
    row_number() over (
      partition by e.organization, e.environment, e.version_id, e.skill, r.dataset_id, substr(e.id, strpos(e.id, '/'))
      order by e.observed_at desc, r.id desc) as nth
  from trust_evidence e
  join evaluation_runs r on r.organization = e.organization and r.environment = e.environment and r.id = split_part(e.id, '/', 1)
  where e.channel = 'evaluations'),
gone as (
  delete from trust_evidence e using seen s
  where e.organization = s.organization and e.environment = s.environment and e.version_id = s.version_id and e.skill = s.skill
    and e.channel = 'evaluations' and e.id = s.id and s.nth > 1
  returning e.organization, e.environment, e.version_id, e.skill, e.outcome, e.quality, e.observed_at),
taken as (
  insert into trust_evidence_new (organization, environment, version_id, skill, channel, items, successes, failures, observed_at)
  select organization, environment, version_id, skill, 'evaluations', -1, -quality * outcome, -quality * (1 - outcome), observed_at from gone)
update trust_evidence e set id = s.of_item from seen s
where e.organization = s.organization and e.environment = s.environment and e.version_id = s.version_id and e.skill = s.skill
  and e.channel = 'evaluations' and e.id = s.id and s.nth = 1;
