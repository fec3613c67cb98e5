-- Tables and columns named as on the wire.
alter table stops rename to kill_switches;
alter table kill_switches rename constraint stops_pkey to kill_switches_pkey;
alter table kill_switches rename constraint stops_check to kill_switches_check;
alter table kill_switches rename constraint stops_kind_check to kill_switches_kind_check;
alter table kill_switches rename constraint stops_mode_check to kill_switches_mode_check;
alter table kill_switches rename constraint stops_release_asked_to_check to kill_switches_release_requested_to_check;
alter index stops_in_force rename to kill_switches_in_force;
alter table kill_switches rename column release_asked_by to release_requested_by;
alter table kill_switches rename column release_asked_at to release_requested_at;
alter table kill_switches rename column release_asked_to to release_requested_to;
alter table kill_switches rename column release_asked_key to release_requested_key;
alter table kill_switches rename column release_asked_accountable to release_requested_accountable;
alter table kill_switches rename column release_asked_personal to release_requested_personal;
alter table kill_switches rename column release_asked_email to release_requested_email;
alter table tasks rename column stop_id to kill_switch_id;

alter table passages rename to chunks;
alter table chunks rename constraint passages_pkey to chunks_pkey;
alter index passages_lexemes rename to chunks_lexemes;

alter table steps rename column edited_as to edit_approval_id;
alter table task_reviews rename column wanted to verdicts_required;
alter table task_reviews rename column drawn_at to sampled_at;
alter table task_review_verdicts rename column given_at to submitted_at;
alter table review_monitors rename column second_share to double_review_share;
alter table review_monitors rename constraint review_monitors_second_share_check to review_monitors_double_review_share_check;

update fact_epochs set topic = 'kill_switches' where topic = 'stops';

-- Names of actions, operations and permissions. Audit records keep theirs, because their hashes are in the log: whatever looks for records by name
-- looks for former names too (`proof/src/former-names.ts`).
create function pg_temp.renamed_action(name text) returns text language sql immutable as $$
  select case name
    when 'stop.read' then 'kill_switch.read' when 'stop.engage' then 'kill_switch.engage' when 'stop.release' then 'kill_switch.release'
    when 'approval.batch' then 'approval.bulk' when 'review.give' then 'review.submit' else name end
$$;
-- In conditions (CEL) only whole string literals, also as patterns of glob and arguments of startsWith.
create function pg_temp.renamed_in(condition text) returns text language sql immutable as $$
  select regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(condition,
    '(["''])stop\.(read|engage|release|\*)\1', '\1kill_switch.\2\1', 'g'),
    '(action\.startsWith\(\s*)(["''])stop\.\2', '\1\2kill_switch.\2', 'g'),
    '(["''])approval\.batch\1', '\1approval.bulk\1', 'g'),
    '(["''])review\.give\1', '\1review.submit\1', 'g'),
    '(["''])governance:stop\1', '\1governance:engage\1', 'g')
$$;

update policies set definition = jsonb_set(definition, '{when}', to_jsonb(pg_temp.renamed_in(definition ->> 'when')))
where definition ->> 'when' is distinct from pg_temp.renamed_in(definition ->> 'when');
update policies set definition = jsonb_set(definition, '{scope,actions}',
  (select jsonb_agg(pg_temp.renamed_action(name) order by n) from jsonb_array_elements_text(definition #> '{scope,actions}') with ordinality as a (name, n)))
where definition #> '{scope,actions}' ?| array['stop.read', 'stop.engage', 'stop.release', 'approval.batch', 'review.give'];

update keys set scopes = array_replace(scopes, 'governance:stop', 'governance:engage') where 'governance:stop' = any(scopes);

update violations set action = pg_temp.renamed_action(action),
  operation = case operation
    when 'governance.listStops' then 'governance.listKillSwitches' when 'governance.engageStop' then 'governance.engageKillSwitch'
    when 'governance.releaseStop' then 'governance.releaseKillSwitch' when 'tasks.giveInput' then 'tasks.submitInput'
    when 'tasks.giveFeedback' then 'tasks.submitFeedback' when 'evaluations.giveReview' then 'evaluations.submitReview' else operation end
where action in ('stop.read', 'stop.engage', 'stop.release', 'approval.batch', 'review.give')
  or operation in ('tasks.giveInput', 'tasks.giveFeedback');
