-- A gate pins the versions of its datasets and scorers. Existing gates pin what they judge by now: the latest versions.
-- `datasets` was a list of ids. A dataset or scorer that no longer exists keeps version 1, of which nothing is found either.

update gates g set definition = g.definition || jsonb_build_object(
  'datasets', (
    select coalesce(jsonb_agg(jsonb_build_object('dataset_id', e.id, 'version', coalesce(d.version, 1)) order by e.place), '[]')
    from jsonb_array_elements_text(g.definition->'datasets') with ordinality as e(id, place)
    left join datasets d on d.organization = g.organization and d.id = e.id),
  'scorers', (
    select coalesce(jsonb_agg(e.scorer || jsonb_build_object('version', coalesce(s.version, 1)) order by e.place), '[]')
    from jsonb_array_elements(g.definition->'scorers') with ordinality as e(scorer, place)
    left join lateral (
      select max(version) as version from scorers where organization = g.organization and name = e.scorer->>'scorer') s on true))
where g.definition ? 'datasets';

-- A deployment takes over the agent's labels, which policies ask for: a later change of the agent holds from the next deployment in the environment on.
alter table deployments add column labels text[] collate "C";
update deployments d set labels = a.labels from agents a where a.organization = d.organization and a.name = d.agent and d.state = 'live';
comment on column deployments.labels is 'The labels that the agent had. Null: those of the agent hold.';

