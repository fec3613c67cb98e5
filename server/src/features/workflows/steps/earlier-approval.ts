import { isDeepStrictEqual } from "node:util";
import type { Plan } from "@aos/workflow";
import { first, select, sql } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { type ApprovalDemand, stricter } from "../../../kernel/verdict.ts";
import { approvalMeets, consumedDemand } from "../../approvals/requests/public.ts";
import { findTask } from "../../tasks/public.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import type { StepRow } from "../runs/rules.ts";
import { findStep } from "../runs/store.ts";

type Shown = Readonly<Record<string, unknown>>;

/** The approval of an earlier step that includes this step. */
export interface Cover {
  readonly approval: string;
  /** The step that asked for it. */
  readonly askedAt: string;
  /** Why it does not count for the present call; null: it does. */
  readonly stale: string | null;
}

/** The input of a task that asks for approval of later steps. */
const askedJson = storedJson<{ input: { readonly calls?: Readonly<Record<string, Shown>> } }>();

/** The earlier approval of a step; null: none. `wanted`: the present call as approvers see it. */
export async function coverOf(ctx: ReadContext, plan: Plan, step: StepRow, wanted: Shown): Promise<Cover | null> {
  if (step.undo !== null) return null;
  const asking = plan.steps.filter((one) => one.step.approval?.covers?.includes(step.step));
  const rows = await Promise.all(asking.map(({ id }) => findStep(ctx, step.run_id, id)));
  const given = rows.filter((row) => row?.status === "completed" && row.task_id !== null) as StepRow[];
  const [latest] = given.sort((a, b) => Number(b.finished_at) - Number(a.finished_at));
  const task = latest && (await findTask(ctx, latest.task_id as string));
  if (!latest || !task?.approval_id) return null;
  const { calls = {} } = askedJson(task, "input");
  const cover = { approval: task.approval_id, askedAt: latest.step };
  const other = difference(calls[step.step], wanted);
  if (other !== null) return { ...cover, stale: `People approved it at ${latest.step} with ${other}.` };
  if (await wasUsed(ctx, step, task.approval_id))
    return { ...cover, stale: `What people approved at ${latest.step} was one attempt, which has begun before.` };
  return { ...cover, stale: null };
}

/** How the approved call differs; null: it is the same. */
function difference(approved: Shown | undefined, wanted: Shown): string | null {
  if (isDeepStrictEqual(approved, wanted)) return null;
  if (!approved) return "nothing of what it would do";
  if (approved.version !== wanted.version) return `version ${approved.version} of ${approved.agent}`;
  const given = "tool" in approved ? "arguments" : "input";
  return isDeepStrictEqual(approved[given], wanted[given]) ? "another call" : `other ${given}`;
}

/** Whether an earlier attempt of the step ran under the approval. */
async function wasUsed(ctx: ReadContext, { run_id, step }: StepRow, approval: string): Promise<boolean> {
  const earlier = select(ctx, taskRows, "t")
    .select(sql<number>`1`.as("used"))
    .where("t.run_id", "=", run_id)
    .where("t.run_step", "=", step)
    .where("t.covered_by", "=", approval)
    .where("t.started_at", "is not", null);
  return (await first(ctx, earlier.limit(1))) !== undefined;
}

/** What still needs approval after an earlier approval, and the approval under which the step runs. */
export async function leftToAsk(
  ctx: WriteContext,
  cover: Cover | null,
  demand: ApprovalDemand | null,
): Promise<{ readonly demand: ApprovalDemand | null; readonly coveredBy: string | null }> {
  if (cover === null) return { demand, coveredBy: null };
  const { approval, askedAt, stale } = cover;
  if (stale === null && (await approvalMeets(ctx, approval, demand))) return { demand: null, coveredBy: approval };
  const why = stale ?? `More is demanded by now than people gave at ${askedAt}.`;
  const given = await consumedDemand(ctx, approval);
  const again = { approvers: 1, requester_allowed: true, ...given, reasons: [why] };
  return { demand: stricter(again, demand), coveredBy: null };
}
