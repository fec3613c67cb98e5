-- Reports that are made by a schedule, and what they said each time.
create table analytics_reports (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  -- JSON as the API takes it.
  definition text not null,
  -- By whose permissions it is made, and the agents that it may tell of; null: all.
  principal text collate "C" not null,
  agents text[] collate "C",
  next_at timestamptz,
  last_at timestamptz,
  -- Why nothing was made the last time; null: it was.
  last_error text,
  created_at timestamptz not null,
  constraint analytics_reports_pkey primary key (organization, environment, id)
);
create index analytics_reports_due on analytics_reports (next_at) where next_at is not null;

create table analytics_issues (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  report text collate "C" not null,
  -- The time of the schedule that it was made for.
  occasion timestamptz not null,
  starts timestamptz not null,
  ends timestamptz not null,
  complete boolean not null,
  media_type text not null,
  body text not null,
  created_at timestamptz not null,
  constraint analytics_issues_pkey primary key (organization, environment, id),
  constraint analytics_issues_occasion_key unique (organization, environment, report, occasion),
  foreign key (organization, environment, report) references analytics_reports (organization, environment, id) on delete cascade
);
create index analytics_issues_old on analytics_issues (created_at);
