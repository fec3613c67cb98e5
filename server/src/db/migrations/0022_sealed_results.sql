-- What finished can be told apart from what somebody wrote into the database: a seal is an HMAC under a key derived from AOS_SECRET_KEY.

alter table tasks add column result_ref text collate "C", add column result_seal text;
comment on column tasks.result_ref is 'The audit record of the call that ended the task. It commits to the result.';
comment on column tasks.result_seal is 'Over what the task ended with, and result_ref. Checked before a result is served.';

alter table steps add column action text, add column asked text, add column reused_from text collate "C", add column seal text;
comment on column steps.action is 'Of a write: keyed digest of the tool and of the arguments that the call was made with.';
comment on column steps.asked is 'The same of the arguments that the agent asked for, where people changed them.';
comment on column steps.reused_from is 'The step of an earlier attempt whose result stands here: the write was not made again.';
comment on column steps.seal is 'Over the output of the step. Checked before it is served or a run goes on with it.';

alter table evaluation_runs add column result_ref text collate "C", add column result_seal text;
comment on column evaluation_runs.result_ref is 'The audit record of the call that ended the run. It commits to its scores.';
comment on column evaluation_runs.result_seal is 'Over the scores of the run, and result_ref. Checked before they are served.';
