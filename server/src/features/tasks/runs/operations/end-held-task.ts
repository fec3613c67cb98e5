import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { cancelOpenApproval, lockApprovalBeforeTask } from "../../../approvals/requests/public.ts";
import { taskBlocked, taskCancelled } from "../../events.ts";
import { findTask, lockTask, type TaskRow, updateTaskStatus } from "../../tasks/store.ts";
import { eventOf } from "../../tasks/view.ts";
import { holdEndHeld } from "../guards.ts";
import {
  endingUnder,
  type HeldRun,
  type HeldUse,
  type HeldWork,
  heldBy,
  noteKillSwitch,
  writeLateEnd,
} from "../holds.ts";
import { auditOfTask, type Ended, endedAs } from "../rules.ts";

export interface EndHeldTask {
  readonly task: string;
  /** The claim that runs it; null: none, or its worker did not respond. */
  readonly owner: string | null;
  /** The tool that it calls or is about to call. */
  readonly tool: string | null;
  /** The model that it calls or is about to call. */
  readonly model: string | null;
  /** It was interrupted while it used that tool or model. */
  readonly aborted: boolean;
  /** The run, if the ending process started it. */
  readonly held?: HeldRun;
}

/** Ends a task by the present kill switch or pause: a running one is cancelled, a queued one blocked. */
export const endHeldTask: InsideOperation<EndHeldTask, Ended> = defineInside({
  id: "tasks.endHeldTask",
  summary: "End a task by a stop or pause",
  permission: exempt("a machine of the service itself"),
  load: (ctx, { task, held }: EndHeldTask) => held?.work.row ?? findTask(ctx, task),
  gate: exempt("stops work, starts none"),
  compliance: exempt("carries out the stop or pause that people engaged"),
  audit: ({ params, loaded, output }) => ({
    ...auditOfTask(params.task, loaded, output),
    approval: loaded?.approval_id ?? null,
  }),
  emits: [taskCancelled, taskBlocked],
  errors: [conflict],
  // A kill switch ends many runs of a process at once: those that needed no approval end with one statement.
  together(ctx, { params, loaded }): Ended | undefined {
    const { owner, held: run } = params;
    if (loaded.approval_id !== null || owner === null || !run) return undefined;
    const held = heldBy(ctx, workOf(loaded), usedBy(params));
    const to = endingUnder(held, "running", params.aborted);
    if (held === null || to === null) return undefined;
    const failure = JSON.stringify({ code: held.type.code, detail: held.detail });
    const row = holdEndHeld(ctx, loaded, { owner, to, failure, killSwitchId: held.killSwitchId, late: run.late });
    emitEnd(ctx, row, to);
    return endedAs(row);
  },
  async handle(ctx, { params, loaded }): Promise<Ended> {
    if (loaded.approval_id !== null) await lockApprovalBeforeTask(ctx, loaded.approval_id);
    if (params.owner !== null) await writeLateEnd(ctx, { ...params, owner: params.owner }); // only now: it locks the task
    const row = await lockTask(ctx, params.task);
    if (!row || (params.owner !== null && row.lease_owner !== params.owner))
      throw refuse(conflict, "The lease is lost.");
    const held = heldBy(ctx, workOf(row), usedBy(params));
    const to = endingUnder(held, row.status, params.aborted);
    if (held === null || to === null)
      throw refuse(conflict, `No stop or pause ends a task that is ${row.status} as this one.`);
    const ended = await end(ctx, row, to, { code: held.type.code, detail: held.detail });
    if (held.killSwitchId !== null) await noteKillSwitch(ctx, row.id, held.killSwitchId);
    return endedAs(ended);
  },
});

const workOf = ({ agent, version_id, skill, run_workflow }: TaskRow): HeldWork => ({
  agent,
  skill,
  versionId: version_id,
  workflow: run_workflow,
});
const usedBy = ({ tool, model }: EndHeldTask): HeldUse =>
  tool !== null ? { tool } : model === null ? null : { model };

async function end(
  ctx: WriteContext,
  row: TaskRow,
  to: "cancelled" | "blocked",
  why: { code: string; detail: string },
): Promise<TaskRow> {
  const failure = JSON.stringify(why);
  if (row.approval_id !== null) await cancelOpenApproval(ctx, row.approval_id, why.detail);
  const ended = (await updateTaskStatus(ctx, { id: row.id, from: [row.status], to, events: 1, failure })) as TaskRow; // under the row's lock
  emitEnd(ctx, ended, to);
  return ended;
}

function emitEnd(ctx: Pick<WriteContext, "emit">, ended: TaskRow, to: "cancelled" | "blocked"): void {
  if (to === "cancelled") ctx.emit(taskCancelled, ...eventOf(ended));
  else ctx.emit(taskBlocked, ...eventOf(ended));
}
