import { type HoldableTask, type Holding, holdableFields } from "../tasks/public.ts";

// Open tasks and steps that were put off, of runs and of the runs that their steps started: one statement each for all runs of a page.

/** The step of the run that was asked about, by which something is held: its own, or the one that started the run in which it is. */
interface Place {
  readonly root: string;
  readonly step: string;
}

export type TaskOfRun = Place & HoldableTask;

/** A step whose task could not be made yet. `held`: JSON of code and detail. */
export interface HeldStep extends Place {
  readonly held: string;
  readonly action: string | null;
  readonly kind: string;
  readonly started_at: Date | null;
  readonly run_id: string;
  readonly workflow: string;
  readonly version_id: string;
  readonly own_step: string;
  readonly mission: string | null;
  readonly key_id: string | null;
  readonly principal: string;
}

const tree = `with recursive tree as (
  select r.id as root, r.id as run, null::text collate "C" as step from workflow_runs r
  where r.organization = $1 and r.environment = $2 and r.id = any($3::text[]) and r.finished_at is null
  union all
  select t.root, c.id, coalesce(t.step, c.parent_step) from tree t join workflow_runs c
    on c.organization = $1 and c.environment = $2 and c.parent_run = t.run and c.finished_at is null)`;

/** Tasks that wait: of each step one of a kind suffices, the earliest. */
export const listWaitingTasks = ({ scope, db }: Holding, runs: readonly string[]): Promise<TaskOfRun[]> =>
  db.query<TaskOfRun>(
    `${tree}
     select distinct on (tree.root, coalesce(tree.step, k.run_step), k.status, k.agent, k.version_id, k.skill)
       tree.root, coalesce(tree.step, k.run_step, '') as step, ${holdableFields.map((name) => `k.${name}`).join(", ")}
     from tree join tasks k on k.organization = $1 and k.environment = $2 and k.run_id = tree.run
       and k.status in ('queued', 'awaiting_approval', 'input_required')
     order by tree.root, coalesce(tree.step, k.run_step), k.status, k.agent, k.version_id, k.skill, k.id`,
    [scope.organization, scope.environment, runs],
  );

/** Steps whose start is put off, the earliest first. */
export const listHeldSteps = ({ scope, db }: Holding, runs: readonly string[]): Promise<HeldStep[]> =>
  db.query<HeldStep>(
    `${tree}
     select tree.root, coalesce(tree.step, s.step) as step, s.held, coalesce(s.undo_action, s.action) as action, s.kind, s.started_at, s.step as own_step,
       r.id as run_id, r.workflow, r.version_id, r.mission, r.key_id, r.principal
     from tree
     join workflow_steps s on s.organization = $1 and s.environment = $2 and s.run_id = tree.run and s.held is not null
       and (s.undo = 'running' or s.status in ('running', 'waiting'))
     join workflow_runs r on r.organization = $1 and r.environment = $2 and r.id = tree.run
     where case when s.undo = 'running' then s.undo_task is null else s.task_id is null and s.child_run is null end
     order by s.started_at, s.step`,
    [scope.organization, scope.environment, runs],
  );
