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
