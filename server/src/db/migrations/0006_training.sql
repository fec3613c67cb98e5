-- Trained models, evidence of trust rolled up by the hour, labels from people, and training jobs. What calls write here they only append or write by
-- their own key: no row that calls share is updated in a call's transaction; sums are kept by the sweeper.

-- What a version's skill has learnt. A row never changes, as its version.
create table skill_models (
  organization text collate "C" not null,
  version_id text collate "C" not null,
  skill text not null,
  digest text not null, -- of the artifact, as its trainer states it
  artifact bytea not null,
  report jsonb not null, -- figures per field, as measured on held-out examples
  created_at timestamptz not null default now(),
  primary key (organization, version_id, skill)
);

-- By what two versions of a skill are told apart when evidence of one counts for the other: what its model is, and all else that the model gets to see.
create table skill_prints (
  organization text collate "C" not null,
  version_id text collate "C" not null,
  skill text not null,
  agent text collate "C" not null,
  number integer not null,
  model text not null, -- SHA-256, in hexadecimal
  behaviour text not null, -- SHA-256, in hexadecimal
  primary key (organization, version_id, skill)
);

-- Evidence that the sweeper has not yet added to the sums: emptied by it about every two seconds. A correction takes away what it corrects.
create table trust_evidence_new (
  organization text collate "C" not null,
  environment text collate "C" not null,
  n bigint generated always as identity,
  version_id text collate "C" not null,
  skill text not null,
  channel text not null,
  items smallint not null,
  successes double precision not null, -- quality times outcome
  failures double precision not null, -- quality times (1 - outcome)
  observed_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (organization, environment, n)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- What scores are computed from: one row for each channel of a version's skill. All items decay alike, so that a sum decays as a whole. The sweeper's.
create table trust_evidence_sums (
  organization text collate "C" not null,
  environment text collate "C" not null,
  version_id text collate "C" not null,
  skill text not null,
  channel text not null,
  as_of timestamptz not null, -- the hour to which it is decayed
  half_life_days double precision not null, -- by which it was
  successes double precision not null,
  failures double precision not null,
  primary key (organization, environment, version_id, skill, channel)
) with (fillfactor = 50);

-- The same by day, as it was observed: for the history of scores, and to make the sums anew when the half-life changes. The sweeper's.
create table trust_evidence_days (
  organization text collate "C" not null,
  environment text collate "C" not null,
  version_id text collate "C" not null,
  skill text not null,
  channel text not null,
  day date not null, -- of UTC
  items bigint not null,
  successes double precision not null,
  failures double precision not null,
  primary key (organization, environment, version_id, skill, channel, day)
) with (fillfactor = 70);

-- Evidence from before there were sums.
insert into trust_evidence_new (organization, environment, version_id, skill, channel, items, successes, failures, observed_at)
select organization, environment, version_id, skill, channel, 1, quality * outcome, quality * (1 - outcome), observed_at from trust_evidence;

-- What people said of a task's outcome: what its score is held against. One row per task, the latest word counts.
create table trust_labels (
  organization text collate "C" not null,
  environment text collate "C" not null,
  task_id text collate "C" not null,
  agent text collate "C" not null,
  version_id text collate "C" not null,
  skill text not null,
  z double precision not null, -- logits of the score before calibration
  score double precision not null, -- as it was published when the task ended
  outcome double precision not null check (outcome between 0 and 1),
  labelled_at timestamptz not null default now(),
  primary key (organization, environment, task_id)
);
create index trust_labels_of_agent on trust_labels (organization, environment, agent, labelled_at, task_id);

-- The map from logits to the probability that is published: T = sigma(a z + b). One row per agent and environment, once it has labels enough.
create table trust_calibrations (
  organization text collate "C" not null,
  environment text collate "C" not null,
  agent text collate "C" not null,
  a double precision not null check (a > 0),
  b double precision not null,
  adopted boolean not null, -- false: labels showed no gain, and the identity counts
  labels integer not null, -- how many it was judged by
  labelled_until timestamptz not null, -- the newest of them
  report text not null, -- JSON: figures before and after
  fitted_at timestamptz not null default now(),
  primary key (organization, environment, agent)
);

-- Feedback on tasks.
create table task_feedback (
  organization text collate "C" not null,
  environment text collate "C" not null,
  task_id text collate "C" not null,
  id text collate "C" not null,
  agent text collate "C" not null,
  skill text not null,
  version_id text collate "C" not null,
  accepted boolean,
  rating smallint check (rating between 1 and 5),
  correction text, -- JSON: the right output
  comment text,
  trains boolean not null, -- whether the correction may be learnt from
  outcome double precision not null check (outcome between 0 and 1),
  author text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (organization, environment, task_id, id)
);
create index task_feedback_to_learn on task_feedback (organization, environment, agent, skill, id) where trains;

-- Training. A job makes a candidate version; it changes nothing that is live.
create table training_jobs (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  agent text collate "C" not null,
  skill text not null,
  base_version_id text collate "C" not null,
  base_number integer not null,
  method text not null check (method in ('model', 'demonstrations')),
  request text not null, -- JSON: where its examples come from, how they are split, what it may spend
  examples text not null, -- JSON: those that came with the request
  state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  phase text not null default 'waiting',
  progress real not null default 0 check (progress between 0 and 1),
  attempt smallint not null default 0,
  lease_until timestamptz,
  artifact bytea, -- between training and the candidate; then it lies with the version
  artifact_digest text,
  report text, -- JSON
  version_id text collate "C", -- the candidate
  version_number integer,
  failure text, -- JSON: code and detail
  note text not null,
  principal text collate "C" not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (organization, environment, id)
);
create index training_jobs_open on training_jobs (created_at) where state in ('queued', 'running');

-- What a training job has measured by running the skill, item by item, so that a job which is resumed pays for none twice.
create table training_results (
  organization text collate "C" not null,
  environment text collate "C" not null,
  job_id text collate "C" not null,
  version_id text collate "C" not null,
  item integer not null,
  correct double precision not null,
  cost_usd double precision not null,
  created_at timestamptz not null default now(),
  primary key (organization, environment, job_id, version_id, item)
);
