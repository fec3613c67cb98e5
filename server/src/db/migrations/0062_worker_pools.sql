-- Pools of workers of the queue that live: each counts on every few seconds. Jobs locked by one that does not are freed.
create table worker_pools (
  id text collate "C" primary key,
  beats bigint not null
);

-- When a worker lived last: one row.
create table worker_presence (
  one boolean primary key default true check (one),
  alive_at timestamptz not null
);

-- Times in which no worker lived, or the database stood still: they count for no time limit of work.
create table worker_gaps (
  started_at timestamptz not null,
  ended_at timestamptz primary key,
  check (started_at < ended_at)
);

-- How long of the time from `since` until `until` no worker lived, in milliseconds.
create function worker_gap_ms(since timestamptz, until timestamptz) returns double precision
language sql stable as $$
  select coalesce(sum(extract(epoch from least(ended_at, until) - greatest(started_at, since)) * 1000), 0)::double precision
  from worker_gaps where ended_at > since and started_at < until
$$;

-- What sweeps look for.
create index shadow_runs_idle on shadow_runs (lease_until) where state = 'running';
create index missions_running on missions (updated_at) where status = 'running';
