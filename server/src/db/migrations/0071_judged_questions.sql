-- A question keeps how the search was judged, the task that asked, and what people said of its reply (decision 0078). `answered` is what counts: false where a reply was rated down.
alter table knowledge_questions add column outcome text not null default 'answered';
alter table knowledge_questions add column probability real;
alter table knowledge_questions add column task text collate "C";
alter table knowledge_questions add column rated boolean;
update knowledge_questions set outcome = case when answered then 'answered' else 'nothing' end;
alter table knowledge_questions add constraint knowledge_questions_outcome_check check (outcome in ('answered', 'unsure', 'nothing'));
create index knowledge_questions_of_task on knowledge_questions (organization, environment, task) where task is not null;
create index knowledge_questions_rated on knowledge_questions (organization, environment, at desc) where rated is not null;
