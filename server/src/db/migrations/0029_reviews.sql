-- A random share of completed tasks is drawn for people to judge, so that the trust score has labels that nobody volunteered.

create table review_monitors (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  agent text collate "C" not null,
  skill text,
  share double precision not null check (share > 0 and share <= 1),
  second_share double precision not null check (second_share >= 0 and second_share <= 1),
  author text not null,
  created_at timestamptz not null default now(),
  drawn_to bigint not null,
  primary key (organization, environment, id)
);
create unique index review_monitors_one_each on review_monitors (organization, environment, agent, coalesce(skill, ''));
comment on column review_monitors.skill is 'Null: all skills of the agent.';
comment on column review_monitors.second_share is 'The share of drawn tasks that two people judge, each without the other''s verdict.';
comment on column review_monitors.drawn_to is 'Up to which event of the environment it has drawn.';

create table task_reviews (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  monitor_id text collate "C" not null,
  task_id text collate "C" not null,
  agent text collate "C" not null,
  skill text not null,
  wanted smallint not null,
  open boolean not null default true,
  drawn_at timestamptz not null default now(),
  primary key (organization, environment, id),
  unique (organization, environment, task_id)
);
create index task_reviews_open on task_reviews (organization, environment, agent, id) where open;
create index task_reviews_by_monitor on task_reviews (organization, environment, monitor_id);
comment on column task_reviews.wanted is 'How many people are to judge it.';

create table task_review_verdicts (
  organization text collate "C" not null,
  environment text collate "C" not null,
  review_id text collate "C" not null,
  reviewer text not null,
  accountable text[] collate "C" not null,
  accepted boolean not null,
  comment text,
  given_at timestamptz not null default now(),
  primary key (organization, environment, review_id, reviewer)
);
comment on column task_review_verdicts.accountable is 'The persons behind the credential: another one of theirs cannot be the second reviewer.';
