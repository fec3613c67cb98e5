-- The W3C traceparent of the call that dispatched a task: the spans of its runs, in whichever process and however much later, go on that trace.
alter table tasks add column traceparent text;
comment on column tasks.traceparent is 'W3C traceparent of the dispatch; null where nothing was traced.';
