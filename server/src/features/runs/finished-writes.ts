import { canonicalJson } from "@aos/strict-json";
import type { CallContext, WriteContext } from "../../kernel/context.ts";
import type { ApprovalDemand } from "../../kernel/verdict.ts";
import { argumentsOfCalls, consumedDemand } from "../approvals/requests/public.ts";
import { isStepIntact, lowestOfTask, type TaskRow } from "../tasks/public.ts";

// Writes are not repeated by trying a task again: what an earlier attempt finished stands.

type Arguments = Readonly<Record<string, unknown>>;

/** A write that finished in an earlier attempt and that the present one has not come to yet. */
export interface FinishedWrite {
  readonly id: string;
  readonly name: string;
  readonly action: string;
  readonly asked: string | null;
  /** JSON. */
  readonly output: string;
  readonly edit_approval_id: string | null;
  /** Its output is what the service wrote. */
  readonly intact: boolean;
}

/**
 * Those of the task that its journal before position `number` does not hold, oldest first. The journal holds a write by the step that made it, or by one that
 * reuses its result; each stands for one call, so that a run that makes the same write twice on purpose still does.
 */
export async function finishedWrites(ctx: WriteContext, task: TaskRow, number: number): Promise<FinishedWrite[]> {
  const rows = await ctx.db.query<Omit<FinishedWrite, "intact"> & { readonly seal: string | null }>(
    `with journal as (
       select distinct on (s.number) s.id, s.reused_from
       from tasks t join steps s on s.organization = t.organization and s.environment = t.environment and s.task_id = t.id and s.started_at >= t.started_at
       where t.organization = $1 and t.environment = $2 and t.id = $3 and s.id >= $4 and s.number < $5
         and (t.retry_step is null or s.number < t.retry_step or s.started_at >= t.retried_at)
       order by s.number, s.id desc)
     select s.id, s.name, s.action, s.asked, s.output, s.edit_approval_id, s.seal from steps s
     where s.organization = $1 and s.environment = $2 and s.task_id = $3 and s.id >= $4
       and s.state = 'finished' and s.action is not null and s.reused_from is null
       and not exists (select from journal j where s.id in (j.id, j.reused_from))
     order by s.id`,
    [ctx.scope.organization, ctx.scope.environment, task.id, lowestOfTask("stp", task.id), number],
  );
  return rows.map((row) => ({ ...row, intact: isStepIntact(ctx.seals, ctx.scope, task.id, row) }));
}

/** Names exactly this call of a tool in this task. Keyed: short arguments could be guessed from a plain digest. */
export function actionKey({ seals, scope }: CallContext, task: string, tool: string, given: Arguments): string {
  return seals.seal("tool call", scope, [task, tool, canonicalJson(given)]);
}

/** The one of these that a call repeats, as it was made or as it was asked for; undefined: the call is a new one. */
export function repeatedBy(finished: readonly FinishedWrite[], action: string): FinishedWrite | undefined {
  return finished.find((write) => write.action === action || write.asked === action);
}

/** The arguments that people had put in the place of those that a finished write was asked for with; null: it was made as it was asked for. */
export async function editsOf(ctx: WriteContext, { edit_approval_id }: FinishedWrite): Promise<Arguments | null> {
  return edit_approval_id === null
    ? null
    : ((await argumentsOfCalls(ctx.db, ctx.scope, [edit_approval_id])).get(edit_approval_id) ?? null);
}

/**
 * The approval of the task as a whole is of one execution. A write that takes the place of one that an earlier attempt finished is another one: it is asked for
 * as the task was. Null: nobody approved the task, or nothing was written that this attempt leaves out.
 */
export async function demandOfAnother(
  ctx: WriteContext,
  task: TaskRow,
  finished: readonly FinishedWrite[],
): Promise<ApprovalDemand | null> {
  const [instead] = finished;
  const approval = task.call_approval ? task.run_approval_id : task.approval_id;
  if (!instead || approval === null) return null;
  const given = await consumedDemand(ctx, approval);
  const why = `${instead.name} finished in an earlier attempt, under the approval of the task; this call takes its place.`;
  return given && { ...given, reasons: [why] };
}
