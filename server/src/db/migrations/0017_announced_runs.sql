-- Whether subscribers were told that a run has ended: of each they are told once, with the verdict, which may wait for runs over the gate's other sets.

alter table evaluation_runs add column announced boolean not null default false;
comment on column evaluation_runs.announced is 'Its end was told by evaluation.completed. Repeats that a gate adds later are not told of again.';
update evaluation_runs set announced = true where (state in ('completed', 'failed') and waits_for is null) or quiet;
