-- Work that met errors of the service, in a row, and the last of them: it is tried again after a pause, longer each time.
alter table evaluation_runs add column faults smallint not null default 0, add column fault text;
-- `attempt` counts the claims of a run: a worker that stalled longer than its lease may not write to what another one has taken up.
alter table shadow_runs add column faults smallint not null default 0, add column fault text, add column attempt integer not null default 0;
alter table audit_exports add column faults smallint not null default 0, add column fault text;
alter table training_jobs add column faults smallint not null default 0, add column fault text;
alter table knowledge_syncs add column faults smallint not null default 0, add column fault text;

-- Deliveries that were made before were deleted: nobody knows which events from before the endpoint took, whatever the environment's settings say by now.
alter table webhooks add column forgotten_before timestamptz;
