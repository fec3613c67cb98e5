-- Everybody accountable for what was said of a task: an agent may be trained on it. Null: the author alone.
alter table task_feedback add column deciders jsonb;

-- Whoever issued a key of a service account could have said what it said. Keys are never deleted.
update task_feedback f set deciders = a.deciders
  from (select k.organization, k.member_id, jsonb_agg(distinct jsonb_build_object('id', p, 'how', 'corrected', 'of', null, 'at', null)) as deciders
    from keys k join members m on m.organization = k.organization and m.id = k.member_id and m.kind = 'service_account',
      unnest(k.issuers || k.created_by || k.member_id) p
    where p like 'mbr\_%' group by k.organization, k.member_id) a
  where a.organization = f.organization and a.member_id = f.author and f.trains;
