import { all, update } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { agentPauseRows } from "../../agents/shared-rows.ts";
import { type Held, type HoldView, holdOn } from "../../governance/public.ts";
import { killSwitchRows } from "../../governance/shared-rows.ts";
import type { TaskState } from "../schemas.ts";
import { type LeaseKey, type StepEnding, updateStepEnd } from "../steps/store.ts";
import type { TaskAddress } from "./jobs/sweeper.ts";
import { type LoadedTask, loadTask } from "./rules.ts";

export interface HeldWork {
  readonly agent: string;
  readonly versionId: string;
  readonly skill: string;
  /** The workflow whose step it is, if any. */
  readonly workflow?: string | null;
}

/** The tool or model that a run uses, if any. */
export type HeldUse = { readonly tool: string } | { readonly model: string } | null;

/** The kill switch or pause that holds a task, or its tool or model, if any. From memory. */
export function heldBy(view: HoldView, { agent, versionId, skill, workflow }: HeldWork, use: HeldUse): Held | null {
  const of = { agent, versionId, skill, ...(workflow && { workflow }) };
  if (use === null) return holdOn(view, "task.run", of);
  return "tool" in use ? holdOn(view, "tool.call", { ...of, ...use }) : holdOn(view, "model.call", { ...of, ...use });
}

/** What a hold means for a run: go on, return to the queue before the next step, or end at once. */
export function runHold(held: Held | null): "go" | "give_back" | "stop" {
  if (held === null || held.mode === "drain") return "go";
  return held.mode === "pause" ? "give_back" : "stop";
}

/**
 * How a hold ends a task that is in this state; null: it leaves it. A stop cancels what runs and blocks what is queued; what waits for people goes on waiting,
 * and is blocked when it would start. Where it stops a tool only, it cancels the run whose call it broke off, and blocks the one that comes to it later.
 * An agent's pause that cancels ends everything open.
 */
export function endingUnder(held: Held | null, state: TaskState, aborted: boolean): "cancelled" | "blocked" | null {
  if (held?.mode === "cancel") return open.has(state) ? "cancelled" : null;
  if (held?.mode !== "stop") return null;
  if (state === "queued") return held.reach === "work" ? "blocked" : null;
  if (state !== "running") return null;
  return held.reach === "work" || aborted ? "cancelled" : "blocked";
}

const open: ReadonlySet<TaskState> = new Set(["queued", "awaiting_approval", "running", "input_required"]);

/** The end of a step that is written together with the next step. */
export interface LateEnd extends StepEnding {
  readonly id: string;
}

/**
 * A task of which this process holds the lease, as it stands: what the calls of its run ask about is changed by nobody else meanwhile. Every write of the run
 * is bound to the lease, so that what is remembered of one that was lost decides nothing.
 */
export interface HeldRun {
  readonly work: LoadedTask;
  /** An earlier worker may have left open steps. */
  readonly resumed: boolean;
  /** Null: all ends are written. */
  late: LateEnd | null;
  /** The model's latest turn. */
  turn: string | null;
  /** Data classes of what it found in knowledge bases. */
  found?: readonly string[];
}

/** The task of a run's call, from memory, or from the database if another process started the run. */
export function workOf(
  ctx: ReadContext,
  task: string,
  held: HeldRun | undefined,
): Promise<LoadedTask | undefined> | LoadedTask {
  return held?.work ?? loadTask(ctx, task);
}

/** Writes the end of the step before, if it is still to be written, in the call's transaction. Throws if the lease is lost. */
export async function writeLateEnd(
  ctx: WriteContext,
  { task, owner, held }: { task: string; owner: string; held?: HeldRun },
): Promise<void> {
  if (!held?.late) return;
  const { id, ...end } = held.late;
  await updateStepEnd(ctx.db, { scope: ctx.scope, task, owner } satisfies LeaseKey, id, end);
}

/** How long a worker has to end a running task after a kill switch or pause; then the sweeper does it. */
const workersTurn = "interval '3 seconds'";

/** A task with what kill switches and pauses can name of it. */
export interface HeldTask extends TaskAddress, HeldWork {
  readonly status: TaskState;
}

const heldColumns = `t.organization, t.environment, t.id, t.agent, t.version_id as "versionId", t.skill, t.run_workflow as workflow, t.status`;
const withinKillSwitch = `t.organization = s.organization and (s.kind = 'all' or t.environment = s.environment)
  and case s.kind when 'agent' then t.agent = s.target when 'version' then t.version_id = s.target
    when 'skill' then t.agent || '.' || t.skill = s.target when 'workflow' then t.run_workflow = s.target else true end`;

/** Open tasks to end by a kill switch or pause, over all scopes: running ones only after their worker's time. */
export async function listTasksToEnd(db: Statements, most: number): Promise<HeldTask[]> {
  return db.query<HeldTask>(
    `select t.* from ${killSwitchRows} s cross join lateral (
       (select ${heldColumns} from tasks t where t.status = 'queued' and ${withinKillSwitch} limit $1)
       union all
       (select ${heldColumns} from tasks t where t.status = 'running' and s.engaged_at < now() - ${workersTurn} and ${withinKillSwitch} limit $1)) t
     where s.released_at is null and s.mode = 'stop' and s.kind in ('all', 'environment', 'agent', 'version', 'skill', 'workflow')
     union
     select t.* from ${agentPauseRows} p cross join lateral (
       select ${heldColumns} from tasks t
       where t.organization = p.organization and t.environment = p.environment and t.agent = p.agent
         and t.status in ('queued', 'awaiting_approval', 'input_required', 'running')
         and (t.status <> 'running' or p.created_at < now() - ${workersTurn}) limit $1) t
     where p.mode = 'cancel'
     limit $1`,
    [most],
  );
}

/** Stores in the task's row which kill switch ended it. */
export async function noteKillSwitch(ctx: WriteContext, task: string, killSwitch: string): Promise<void> {
  await all(ctx, update(ctx, "tasks").set({ kill_switch_id: killSwitch }).where("id", "=", task));
}
