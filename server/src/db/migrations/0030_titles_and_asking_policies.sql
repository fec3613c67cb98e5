-- What a task or a call is about, by its skill's or tool's template; null: there is none.
alter table tasks add column title text;
alter table approvals add column title text;

-- The policies that demanded the approval.
alter table approvals add column policies text[] not null default '{}'::text[];
create index approvals_by_policy on approvals (organization, environment, id) where policies <> '{}'::text[];

-- A version that training made is shown with its job.
create index training_jobs_by_version on training_jobs (organization, version_id) where version_id is not null;
