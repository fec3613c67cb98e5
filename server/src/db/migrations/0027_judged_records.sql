-- Trust anew: only judged outcomes are evidence, each once, and one fitted map per skill of a version turns them and the case at hand into a score.

-- One row per judged case: an item of an evaluation or of held-out examples, or a task. Whoever refits reads the newest of a skill.
create table trust_judgements (
  organization text collate "C" not null,
  environment text collate "C" not null,
  agent text collate "C" not null,
  skill text not null,
  id text collate "C" not null, -- of the task, or `<dataset>/<item>`, `<training>-<n>`
  version_id text collate "C" not null,
  source text not null check (source in ('evaluation', 'approval', 'run', 'feedback', 'review')),
  origin text not null check (origin in ('evaluation', 'random', 'volunteered')),
  outcome double precision not null check (outcome between 0 and 1),
  weight double precision not null default 1 check (weight between 0 and 1),
  signals text not null default '{}', -- JSON: the model's probability and the signals of the case
  observed_at timestamptz not null, -- when the outcome came about
  judged_at timestamptz not null default now(),
  primary key (organization, environment, agent, skill, id, version_id)
);
create index trust_judgements_newest on trust_judgements (organization, environment, agent, skill, observed_at);

-- Skills with new judgements, appended by the calls that record them and taken by the sweeper: no row that calls share.
create table trust_refits (
  organization text collate "C" not null,
  environment text collate "C" not null,
  n bigint generated always as identity,
  agent text collate "C" not null,
  skill text not null,
  created_at timestamptz not null default now(),
  primary key (organization, environment, n)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- Fitted maps. Earlier ones are kept, so that every stored score can be computed again from the fit that it names.
create table trust_fits (
  organization text collate "C" not null,
  environment text collate "C" not null,
  agent text collate "C" not null,
  skill text not null,
  version_id text collate "C" not null, -- the first of the versions that are alike to the skill's model
  digest text collate "C" not null,
  basis text not null check (basis in ('trained', 'told', 'none')),
  fit text not null, -- JSON
  reliability text not null, -- JSON: sums per bin, cross-fitted
  current boolean not null,
  fitted_at timestamptz not null default now(),
  primary key (organization, environment, agent, skill, version_id, digest)
);
create index trust_fits_current on trust_fits (organization, environment, agent, skill) where current;

-- The score that tasks began with at the end of each day with a fit.
create table trust_days (
  organization text collate "C" not null,
  environment text collate "C" not null,
  agent text collate "C" not null,
  skill text not null,
  version_id text collate "C" not null,
  day date not null, -- of UTC
  score double precision not null,
  low double precision not null,
  high double precision not null,
  labels integer not null,
  primary key (organization, environment, agent, skill, version_id, day)
);

-- What the model said of its answer to an item, which is what makes the item's score a label of that probability.
alter table evaluation_results add column signals text;
comment on column evaluation_results.signals is 'JSON: the model''s probability and the signals of the case. Null: from before they were kept.';

-- The labels from before. What people said comes first: a task counts once.
insert into trust_judgements (organization, environment, agent, skill, id, version_id, source, origin, outcome, signals, observed_at, judged_at)
select l.organization, l.environment, l.agent, l.skill, l.task_id, l.version_id, 'feedback', 'volunteered', l.outcome,
  coalesce(said.signals, '{}'), coalesce(t.finished_at, l.labelled_at), l.labelled_at
from trust_labels l
left join tasks t on t.organization = l.organization and t.environment = l.environment and t.id = l.task_id
-- The earlier rule stored how unsure the model was as a part of the score, -4 times it, and how much of the answer was ungrounded as -1 times it. Where nothing was
-- learnt both were the same number, which is no probability.
left join lateral (
  select -(t.trust::jsonb #>> '{parts,uncertainty}')::float8 / 4 as unsure, -(t.trust::jsonb #>> '{parts,ungrounded}')::float8 as ungrounded) x on true
left join lateral (
  select jsonb_strip_nulls(jsonb_build_object(
    'probability', case when x.unsure between 1e-9 and 1 and abs(x.unsure - coalesce(x.ungrounded, 0)) > 1e-9 then 1 - x.unsure end,
    'probability_source', case when x.unsure between 1e-9 and 1 and abs(x.unsure - coalesce(x.ungrounded, 0)) > 1e-9 then 'trained' end,
    'ungrounded', case when x.ungrounded between 1e-9 and 1 then x.ungrounded end))::text as signals) said on true;

-- Decisions on calls that an agent wanted to make: of a task the worst one counts.
insert into trust_judgements (organization, environment, agent, skill, id, version_id, source, origin, outcome, observed_at, judged_at)
select e.organization, e.environment, a.agent, e.skill, a.task_id, e.version_id, 'approval', 'volunteered', min(e.outcome), max(e.observed_at), max(e.observed_at)
from trust_evidence e
join approvals a on a.organization = e.organization and a.environment = e.environment and a.id = e.id
where e.channel = 'approvals' group by 1, 2, 3, 4, 5, 6
on conflict do nothing;

-- Evaluations, and runs that failed. That a run completed, and how much of its answer was grounded, is no evidence that the outcome was right.
insert into trust_judgements (organization, environment, agent, skill, id, version_id, source, origin, outcome, weight, observed_at, judged_at)
select e.organization, e.environment, v.agent, e.skill, e.id, e.version_id, case e.channel when 'runs' then 'run' else 'evaluation' end,
  case e.channel when 'runs' then 'volunteered' else 'evaluation' end, e.outcome, e.quality, e.observed_at, e.observed_at
from trust_evidence e
join agent_versions v on v.organization = e.organization and v.id = e.version_id
where e.channel = 'evaluations' or (e.channel = 'runs' and e.outcome = 0)
on conflict do nothing;

insert into trust_refits (organization, environment, agent, skill) select distinct organization, environment, agent, skill from trust_judgements;

drop table trust_evidence, trust_evidence_new, trust_evidence_sums, trust_evidence_days, trust_labels, trust_calibrations;
