-- People pause a task: whatever state it is in, nothing of it starts until somebody resumes it. Null: it is not paused.
alter table tasks add column paused_at timestamptz;
alter table tasks add column paused_by text collate "C";
alter table tasks add column pause_reason text;
