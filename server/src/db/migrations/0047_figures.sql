-- The list of tasks by who dispatched them and by a label, as figures link to it. A key's tasks are found by its member.
create index tasks_by_principal on tasks (organization, environment, principal, id);
create index tasks_by_label on tasks using gin (labels) where labels <> '{}';
