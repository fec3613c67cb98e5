-- Tasks of runs that wait or are queued: what a run is held by is read from them, also where thousands of its tasks have ended.
create index tasks_open_of_run on tasks (organization, environment, run_id, status)
  where run_id is not null and status in ('queued', 'awaiting_approval', 'input_required');

-- The inbox reads what waits for people, from whichever table it is in.
create index tasks_asking on tasks (organization, environment, id) where status = 'input_required';
create index chat_conversations_waiting on chat_conversations (organization, environment, id)
  where handler is null and handoff is not null and state = 'open';
create index mission_decisions_open on mission_decisions (organization, environment, id) where answered_at is null and withdrawn_at is null;
