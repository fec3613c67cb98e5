-- Who is accountable for what acts later, and for what it acts on.

-- Deciders: a JSON array of { id, how, of, at }, as kernel/actor.ts has them; null: none besides whom other columns of the row name.
-- Actor: { owner, credential, bounds, persons }, as kernel/actor.ts has it.

-- The key that took this one's place; what acts by this key goes on by that one.
alter table keys add column replaced_by text collate "C";

alter table tasks add column deciders jsonb;
alter table approvals add column requesters jsonb;
alter table events add column deciders jsonb;

alter table workflow_triggers add column actor jsonb, add column stopped_reason text, add column stopped_at timestamptz;
alter table agent_schedules add column actor jsonb, add column stopped_reason text, add column stopped_at timestamptz;
-- Who got the present secret, and who got each of the previous ones, in their order.
alter table workflow_hooks add column secret_deciders jsonb, add column previous_deciders jsonb not null default '[]';
alter table workflow_runs add column actor jsonb, add column input_deciders jsonb, add column event_deciders jsonb, add column output_deciders jsonb;
-- Of a step's output, and of what it acts on.
alter table workflow_steps add column deciders jsonb;
alter table workflow_items add column deciders jsonb;
alter table workflow_waits add column deciders jsonb;
alter table workflow_firings add column deciders jsonb;
-- Of the draft since the newest version was frozen; of a version what was changed since the one before.
alter table workflows add column draft_deciders jsonb;
alter table workflow_versions add column deciders jsonb;
alter table workflow_releases add column deciders jsonb;

alter table agents add column draft_deciders jsonb;
alter table agent_versions add column deciders jsonb;
alter table deployments add column actor jsonb, add column deciders jsonb, add column stopped_reason text, add column stopped_at timestamptz;
alter table training_jobs add column actor jsonb;
-- Of its items and of the versions before; null: of a version that was made before digests were kept, which its number tells apart.
alter table dataset_versions add column deciders jsonb, add column digest text;
alter table connections add column deciders jsonb, add column digest text;

alter table missions add column actor jsonb, add column deciders jsonb;
alter table mission_plans add column deciders jsonb;
alter table mission_templates add column deciders jsonb;

alter table chat_turns add column actor jsonb;
alter table chat_channels add column actor jsonb, add column stopped_reason text, add column stopped_at timestamptz;
-- Members whose words its agent reads.
alter table chat_conversations add column deciders jsonb;

alter table knowledge_connectors add column actor jsonb, add column stopped_reason text, add column stopped_at timestamptz;
alter table document_versions add column deciders jsonb;
alter table documents add column deciders jsonb;

alter table evaluation_runs add column actor jsonb;
alter table review_monitors add column actor jsonb, add column stopped_reason text, add column stopped_at timestamptz;
alter table analytics_reports add column actor jsonb, add column stopped_reason text, add column stopped_at timestamptz;
alter table analytics_alerts add column actor jsonb, add column stopped_reason text, add column stopped_at timestamptz;
alter table audit_exports add column actor jsonb;
alter table webhooks add column actor jsonb, add column stopped_reason text, add column stopped_at timestamptz;
alter table marketplace_versions add column deciders jsonb;

-- Looks of a second person at exactly this content, in one environment.
create table confirmations (
  organization text collate "C" not null,
  environment text collate "C" not null,
  id text collate "C" not null,
  -- Such as `agent:sales@3` and `connection:crm`.
  object text collate "C" not null,
  digest text collate "C" not null,
  -- `confirmed` by itself; `deployed` and `published`: the look that deploying or publishing was.
  how text not null check (how in ('confirmed', 'deployed', 'published')),
  confirmed_by text collate "C" not null,
  session_id text collate "C",
  key_id text collate "C",
  created_at timestamptz not null,
  constraint confirmations_pkey primary key (organization, environment, object, digest)
);
create unique index confirmations_by_id on confirmations (organization, environment, id);

-- What was stored before: the persons whom the rows, the log and the keys of service accounts name. Keys are never deleted.

-- Who issued keys of service accounts, by account.
create temporary table account_issuers on commit drop as
  select distinct k.organization, k.member_id, unnest(k.issuers || k.created_by) as issuer
  from keys k join members m on m.organization = k.organization and m.id = k.member_id and m.kind = 'service_account';
create index on account_issuers (organization, member_id);
analyze account_issuers;

create function pg_temp.deciders(org text, ids text[], part text, object text) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', p, 'how', part, 'of', object, 'at', null) order by p), '[]')
  from (
    select one as p from unnest(ids) one
    union
    select i.issuer from account_issuers i where i.organization = org and i.member_id = any (ids)
  ) found where p like 'mbr\_%'
$$;

-- Plans are poor where statistics are missing, as after a restore.
analyze keys, agents, workflows, workflow_runs, documents, document_versions, audit_leaves;

-- Who called one of these operations on an object, and who could have used the key by which they did.
create function pg_temp.callers(org text, env text, object_id text, operations text[]) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct p), '{}') from (
    select l.principal as p from audit_leaves l
      where l.organization = org and l.environment = env and l.object = object_id and l.operation = any (operations) and l.decision = 'allowed'
    union
    select unnest(k.issuers) from audit_leaves l join keys k on k.organization = l.organization and k.environment = l.environment and k.id = l.key_id
      where l.organization = org and l.environment = env and l.object = object_id and l.operation = any (operations) and l.decision = 'allowed'
  ) found
$$;

create function pg_temp.actor(org text, env text, owner text, key text, also text[]) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'owner', owner,
    'credential', case when key is null then jsonb_build_object('system', 'system:upgrade') else jsonb_build_object('key', key) end,
    'bounds', jsonb_build_object(
      'role', (select k.role from keys k where k.organization = org and k.environment = env and k.id = key),
      'scopes', (select to_jsonb(k.scopes) from keys k where k.organization = org and k.environment = env and k.id = key),
      'agents', (select to_jsonb(k.agents) from keys k where k.organization = org and k.environment = env and k.id = key),
      'environment', env),
    'persons', pg_temp.deciders(org, array[owner] || coalesce((select k.issuers from keys k
      where k.organization = org and k.environment = env and k.id = key), '{}'), 'owner', null)
      || pg_temp.deciders(org, array_remove(also, owner), 'unknown', null))
$$;

create function pg_temp.names_nobody(org text, stored jsonb) returns boolean language sql stable as $$
  select stored ->> 'owner' not like 'system:%' and not exists (
    select from jsonb_array_elements(stored -> 'persons') p join members m on m.organization = org and m.id = p ->> 'id' and m.kind = 'person')
$$;

-- Whoever answered a question of a task that goes on.
update tasks t set deciders = found.deciders
  from (select o.organization, o.environment, o.id, jsonb_agg(distinct jsonb_build_object('id', p, 'how', 'answered', 'of', null, 'at', null)) as deciders
    from tasks o join steps s on s.organization = o.organization and s.environment = o.environment and s.task_id = o.id, unnest(s.answered_accountable) p
    where o.status in ('queued', 'running', 'awaiting_approval', 'input_required') group by o.organization, o.environment, o.id) found
  where found.organization = t.organization and found.environment = t.environment and found.id = t.id;
alter table steps drop column answered_accountable;

-- When an id was made: 48 bits of milliseconds in base 32.
create function pg_temp.made_at(id text) returns timestamptz language sql immutable as $$
  select to_timestamp(sum((strpos('0123456789abcdefghjkmnpqrstvwxyz', digit) - 1) * 32::numeric ^ (10 - place)) / 1000)
  from string_to_table(substr(id, 5, 10), null) with ordinality as digits (digit, place)
$$;

-- Who changed drafts, and who could have used the key by which they did. Installing a bundle calls these operations too.
create temporary table draft_changes on commit drop as
  select c.organization, c.object, pg_temp.made_at(c.record_id) as at, p as who
  from (
    select l.organization, l.object, l.record_id, l.principal || coalesce(k.issuers, '{}') as persons
    from (select organization, 'agent:' || name as object from agents union all select organization, 'workflow:' || name from workflows) o
    cross join unnest('{development,staging,production}'::text[]) place
    join audit_leaves l on l.organization = o.organization and l.environment = place and l.object = o.object and l.decision = 'allowed'
      and l.operation in ('agents.createAgent', 'agents.cloneAgent', 'agents.changeDraft', 'agents.bindTool', 'agents.unbindTool',
        'workflows.createWorkflow', 'workflows.replaceDraft')
    left join keys k on k.organization = l.organization and k.environment = l.environment and k.id = l.key_id) c, unnest(c.persons) p;
create index on draft_changes (organization, object, at);
analyze draft_changes;

-- Between which times a draft was changed to what a version says, or since the newest one (`number` null). Training goes out from a version and leaves the draft alone.
create temporary table edited on commit drop as
  select organization, object, number, coalesce(lag(at) over (partition by organization, object order by number), '-infinity') as since, at as until
  from (
    select organization, 'agent:' || agent as object, number, created_at as at from agent_versions v
      where not exists (select from training_jobs j where j.organization = v.organization and j.version_id = v.id)
    union all select organization, 'workflow:' || workflow, number, created_at from workflow_versions
    union all select organization, 'agent:' || name, null, 'infinity' from agents
    union all select organization, 'workflow:' || name, null, 'infinity' from workflows) frozen;
create index on edited (organization, object, number);
analyze edited;

-- Calls overlap: what was changed within a minute of freezing a version counts for it and for the next one.
create function pg_temp.changers(org text, changed text, version int) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct c.who), '{}') from edited e
  join draft_changes c on c.organization = e.organization and c.object = e.object and c.at between e.since - interval '1 minute' and e.until + interval '1 minute'
  where e.organization = org and e.object = changed and e.number is not distinct from version
$$;

update workflow_triggers t set actor = pg_temp.actor(t.organization, t.environment, t.principal, null,
  case t.origin when 'version' then (select array_agg(r.author) from workflow_releases r
    where r.organization = t.organization and r.environment = t.environment and r.workflow = t.workflow and r.ended_at is null)
  else pg_temp.callers(t.organization, t.environment, 'workflow:' || t.workflow, '{workflows.addTrigger}') end);
update agent_schedules s set actor = pg_temp.actor(s.organization, s.environment, s.principal, null,
  array[s.author] || pg_temp.callers(s.organization, s.environment, 'schedule:' || s.id, '{agents.createSchedule,agents.changeSchedule}'));
update workflow_hooks h set secret_deciders = pg_temp.deciders(h.organization,
    array[h.author] || pg_temp.callers(h.organization, h.environment, 'hook:' || h.name, '{workflows.createHook,workflows.rotateSecret}'), 'secret', 'hook:' || h.name),
  previous_deciders = coalesce((select jsonb_agg('[]'::jsonb) from unnest(h.previous_secrets)), '[]');
update workflow_runs r set actor = pg_temp.actor(r.organization, r.environment, r.principal, r.key_id,
  pg_temp.callers(r.organization, r.environment, 'run:' || r.id, '{workflows.controlRun,workflows.signalRun}'))
  where r.finished_at is null;
-- Once for each owner and key: ended runs are many.
create temporary table run_actors on commit drop as
  select organization, environment, principal, key_id, pg_temp.actor(organization, environment, principal, key_id, '{}') as actor
  from (select distinct organization, environment, principal, key_id from workflow_runs where finished_at is not null) r;
analyze run_actors;
update workflow_runs r set actor = a.actor from run_actors a where a.organization = r.organization and a.environment = r.environment
  and a.principal = r.principal and a.key_id is not distinct from r.key_id and r.finished_at is not null;
update workflow_versions v set deciders = nullif(pg_temp.deciders(v.organization,
    array[v.author] || pg_temp.changers(v.organization, 'workflow:' || v.workflow, v.number), 'workflow', 'workflow:' || v.workflow || '@' || v.number), '[]');
update workflow_releases r set deciders = nullif(pg_temp.deciders(r.organization, array[r.author], 'workflow', 'workflow:' || r.workflow || '@' || r.version_number), '[]')
  where r.ended_at is null;
update workflows w set draft_deciders = nullif(pg_temp.deciders(w.organization,
    array[w.updated_by] || pg_temp.changers(w.organization, 'workflow:' || w.name, null), 'workflow', 'workflow:' || w.name), '[]');
update agent_versions v set deciders = nullif(pg_temp.deciders(v.organization,
    array[v.author] || pg_temp.changers(v.organization, 'agent:' || v.agent, v.number), 'agent', 'agent:' || v.agent || '@' || v.number), '[]');
update agents a set draft_deciders = nullif(pg_temp.deciders(a.organization,
    array[a.owner] || pg_temp.changers(a.organization, 'agent:' || a.name, null), 'agent', 'agent:' || a.name), '[]');
update deployments d set deciders = nullif(pg_temp.deciders(d.organization, array[d.author], 'deployed', 'agent:' || d.agent || '@' || d.version_number), '[]'),
  actor = pg_temp.actor(d.organization, d.environment, d.author, null, '{}') where d.state in ('live', 'canary', 'shadow');
update training_jobs j set actor = pg_temp.actor(j.organization, j.environment, j.principal, null, '{}') where j.finished_at is null;
update dataset_versions v set deciders = nullif(pg_temp.deciders(v.organization, array[v.author], 'dataset', 'dataset:' || v.dataset_id || '@' || v.version), '[]');
update connections c set deciders = nullif(pg_temp.deciders(c.organization,
    array[c.created_by] || pg_temp.callers(c.organization, c.environment, 'connection:' || c.name, '{admin.addConnection}'), 'connection', 'connection:' || c.name), '[]'),
  digest = encode(sha256(convert_to(concat_ws(E'\n', c.kind, c.base_url, c.scheme, c.header), 'UTF8') || coalesce(c.secret, '')), 'hex');
update missions m set actor = coalesce((select r.actor from workflow_runs r where r.organization = m.organization and r.environment = m.environment and r.id = m.run_id),
    pg_temp.actor(m.organization, m.environment, m.created_by, null, '{}')),
  deciders = nullif(pg_temp.deciders(m.organization, array[m.created_by] || pg_temp.callers(m.organization, m.environment, 'mission:' || m.id, '{missions.changeMission}'), 'input', 'mission:' || m.id)
    || pg_temp.deciders(m.organization, (select coalesce(array_agg(d.answered_by), '{}') from mission_decisions d
      where d.organization = m.organization and d.environment = m.environment and d.mission = m.id), 'answered', 'mission:' || m.id), '[]');
update mission_plans p set deciders = nullif(pg_temp.deciders(p.organization, array[p.author, p.accepted_by], 'planned', 'mission:' || p.mission), '[]');
update mission_templates t set deciders = nullif(pg_temp.deciders(t.organization, array[t.author], 'planned', 'template:' || t.name), '[]');
update chat_turns t set actor = pg_temp.actor(t.organization, t.environment, t.principal, t.key_id, '{}') where t.finished_at is null;
-- Whoever sent a message in a user's name is known by its turn. Closed ones can be forked.
update chat_conversations c set deciders = nullif(pg_temp.deciders(c.organization,
    array[c.principal] || (select coalesce(array_agg(m.author), '{}') from chat_messages m
      where m.organization = c.organization and m.environment = c.environment and m.conversation = c.id and m.role in ('user', 'person'))
    || (select coalesce(array_agg(t.principal), '{}') from chat_turns t
      where t.organization = c.organization and t.environment = c.environment and t.conversation = c.id), 'wrote', 'conversation:' || c.id), '[]');
update chat_channels c set actor = pg_temp.actor(c.organization, c.environment, c.created_by, null, pg_temp.callers(c.organization, c.environment, 'channel:' || c.name, '{chat.setChannel}'));
update knowledge_connectors c set actor = pg_temp.actor(c.organization, c.environment, c.author, null,
  pg_temp.callers(c.organization, c.environment, 'connector:' || c.id, '{knowledge.createConnector,knowledge.changeConnector}'));
-- Once for each writer and connector: documents are many. Of a decider of a whole document `of` is null in its row.
create temporary table writers on commit drop as
  select organization, environment, author, connector, case when connector is null or author not like 'system:%'
      then pg_temp.deciders(organization, array[author], 'document', null)
    else (select jsonb_agg(jsonb_build_object('id', p ->> 'id', 'how', 'connector', 'of', 'connector:' || c.id, 'at', null))
      from knowledge_connectors c, jsonb_array_elements(c.actor -> 'persons') p
      where c.organization = w.organization and c.environment = w.environment and c.id = w.connector) end as deciders
  from (select distinct organization, environment, author, connector from documents
    union select distinct v.organization, v.environment, v.author, d.connector from document_versions v
      join documents d on d.organization = v.organization and d.environment = v.environment and d.id = v.document) w;
analyze writers;
update documents d set deciders = w.deciders,
    pending = case when d.pending is null then null else d.pending || jsonb_build_object('deciders', coalesce(w.deciders, '[]')) end
  from writers w where w.organization = d.organization and w.environment = d.environment and w.author = d.author
    and w.connector is not distinct from d.connector and (w.deciders <> '[]' or d.pending is not null);
update document_versions v set deciders = w.deciders from documents d, writers w
  where d.organization = v.organization and d.environment = v.environment and d.id = v.document
    and w.organization = v.organization and w.environment = v.environment and w.author = v.author
    and w.connector is not distinct from d.connector and w.deciders <> '[]';
update evaluation_runs r set actor = pg_temp.actor(r.organization, r.environment, r.principal, null, '{}') where r.finished_at is null;
update review_monitors m set actor = pg_temp.actor(m.organization, m.environment, m.author, null, '{}');
update analytics_reports r set actor = pg_temp.actor(r.organization, r.environment, r.principal, null, '{}');
update analytics_alerts a set actor = pg_temp.actor(a.organization, a.environment, a.created_by, null, '{}');
update audit_exports e set actor = pg_temp.actor(e.organization, e.environment, e.principal, null, '{}') where e.finished_at is null;
update webhooks w set actor = pg_temp.actor(w.organization, w.environment, w.created_by, null, '{}');

-- What starts work in the name of nobody who is known stops where a second person is demanded, until somebody takes it over. The service's own goes on.
update workflow_triggers t set stopped_at = now(), next_at = null, stopped_reason = 'Nobody is recorded who set it up. Take it over to start it again.'
  where t.environment in ('staging', 'production') and pg_temp.names_nobody(t.organization, t.actor);
update agent_schedules s set stopped_at = now(), next_at = null, due_at = null, try_at = null, stopped_reason = 'Nobody is recorded who set it up. Take it over to start it again.'
  where s.environment in ('staging', 'production') and pg_temp.names_nobody(s.organization, s.actor);
update knowledge_connectors c set stopped_at = now(), next_run_at = null, stopped_reason = 'Nobody is recorded who set it up. Take it over to start it again.'
  where c.environment in ('staging', 'production') and pg_temp.names_nobody(c.organization, c.actor);
update chat_channels c set stopped_at = now(), next_read_at = null, stopped_reason = 'Nobody is recorded who set it up. Take it over to start it again.'
  where c.environment in ('staging', 'production') and pg_temp.names_nobody(c.organization, c.actor);
