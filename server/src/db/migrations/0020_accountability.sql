-- Who is accountable for a credential, and for what was asked, edited, handed on and voted with it.

-- Whether the owner issued the key to themselves from a sign-in of their own, and the e-mail address that they had then, in lower case.
alter table keys add column personal boolean not null default false;
alter table keys add column personal_email text;
-- Whatever the host's command line, first start or one-time links made is `host` from now on.
update keys set issuers = array(select distinct case when i like 'system:%' then 'host' else i end from unnest(issuers || created_by) as i
                                where i <> member_id and (i like 'system:%' or i = any(issuers)))
where created_by like 'system:%' or exists (select from unnest(issuers) as i where i like 'system:%');

-- Owner and issuers of the credential, as they were at the time.
alter table approvals add column requester_accountable text[] not null default '{}';
alter table approvals add column editor_accountable text[] not null default '{}';
alter table approval_votes add column accountable text[] not null default '{}';
alter table approval_votes add column personal boolean not null default false;
alter table approval_delegations add column accountable text[] not null default '{}';
update approvals a set requester_accountable = array[a.requester] || coalesce((
    select k.issuers from tasks t join keys k on k.organization = t.organization and k.environment = t.environment and k.id = t.key_id
    where t.organization = a.organization and t.environment = a.environment and t.id = a.task_id), '{}'),
  editor_accountable = case when a.edited_by is null then '{}' else array[a.edited_by] end
where a.status in ('pending', 'approved', 'changes_requested', 'consumed');
update approval_votes v set accountable = array[v.voter] || coalesce((
    select k.issuers from keys k where k.organization = v.organization and k.environment = v.environment and k.id = v.key_id), '{}');
update approval_delegations set accountable = array[from_member];

-- Owner and issuers of the credential with which the question of a step was answered.
alter table steps add column answered_accountable text[] not null default '{}';

alter table stops add column release_asked_accountable text[] not null default '{}';
alter table stops add column release_asked_personal boolean not null default false;
update stops s set release_asked_accountable = array[s.release_asked_by] || coalesce((
    select k.issuers from keys k where k.organization = s.organization and k.environment = s.environment and k.id = s.release_asked_key), '{}')
where s.release_asked_by is not null and s.released_at is null;
