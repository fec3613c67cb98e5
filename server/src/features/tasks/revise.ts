import type { CallContext, WriteContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import type { Proposal } from "../../kernel/operation.ts";
import { conflict } from "../../kernel/problems.ts";
import type { Risk } from "../../kernel/risk.ts";
import { titleOf } from "../../kernel/title.ts";
import type { TrustScore } from "../../kernel/trust/index.ts";
import { type ApprovalDemand, type Governed, type RunLimits, strictest } from "../../kernel/verdict.ts";
import type { LiveSkill } from "../agents/public.ts";
import { agentSeen, approvalFor, riskOf, riskText, startingTrust, subjectOf, trustText } from "./model.ts";
import { type TaskRow, taskColumns } from "./store.ts";

/** A waiting task as it would be with another input, judged anew as at a dispatch. */
export interface Revision {
  readonly input: Readonly<Record<string, unknown>>;
  readonly title: string | null;
  readonly trust: TrustScore;
  readonly risk: Risk;
  readonly subject: string;
  /** What policies, risk and caller demand of people by now; null: nothing. */
  readonly demand: ApprovalDemand | null;
  /** The least of the bounds that policies set, to the dispatch and to this. */
  readonly limits: Governed["limits"];
}

/** What policies said of a dispatch with the other input. */
export type SaidOfRevision = Pick<Governed, "approval" | "limits">;

/** A waiting task with another input, as policies judge it: a dispatch of that input, by who proposes it. `skill` is that of the version which the task pins. */
export function proposedDispatch(
  ctx: CallContext,
  task: TaskRow,
  skill: LiveSkill,
  input: Readonly<Record<string, unknown>>,
): Proposal {
  const { trust, risk } = judgeRevision(ctx, task, skill, input, { approval: null, limits: null });
  const { level, score, impact, likelihood } = risk;
  return {
    action: "task.dispatch",
    facts: {
      agent: agentSeen(ctx, task.agent),
      version: { number: task.version_number, id: task.version_id },
      skill: { name: task.skill },
      input,
      risk: { level, score, impact, likelihood },
      trust: { score: trust.score, low: trust.low, high: trust.high },
    },
  };
}

/** Judges a task with another input. `skill` is that of the version which the task pins, `said` what policies said of such a dispatch. */
export function judgeRevision(
  ctx: CallContext,
  task: TaskRow,
  skill: LiveSkill,
  input: Readonly<Record<string, unknown>>,
  said: SaidOfRevision,
): Revision {
  const trust = startingTrust(ctx, task.version_id, task.skill);
  const risk = riskOf(skill, trust.low);
  const before = task.run_limits === null ? null : (JSON.parse(task.run_limits) as RunLimits);
  const limits = said.limits ? strictest(before, said.limits) : before;
  const demand = approvalFor(ctx, risk, said.approval, task.require_approval);
  const title = titleOf(skill.definition.title, input);
  return { input, title, trust, risk, subject: subjectOf(skill, input, task.id), demand, limits };
}

/**
 * Gives a task that awaits approval another input, under a newer approval; `events` is how many of the task's events the caller emits of it.
 * Refuses with `wrong_state` where the task no longer waits for the approval that it was loaded with.
 */
export async function reviseTask(
  ctx: WriteContext,
  task: TaskRow,
  revision: Revision,
  given: { readonly approvalId: string; readonly events: 0 | 1 },
): Promise<TaskRow> {
  const { input, title, trust, risk, subject, limits } = revision;
  const rows = await ctx.db.query<TaskRow>(
    `update tasks set input = $5, subject = $6, trust_score = $7, trust = $8, risk_level = $9, risk = $10, approval_id = $11,
       event_count = event_count + $12, run_limits = $13, title = $14, updated_at = now()
     where organization = $1 and environment = $2 and id = $3 and status = 'awaiting_approval' and approval_id is not distinct from $4
     returning ${taskColumns}`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      task.id,
      task.approval_id,
      JSON.stringify(input),
      subject,
      trust.score,
      trustText(trust),
      risk.level,
      riskText(risk),
      given.approvalId,
      given.events,
      limits && JSON.stringify(limits),
      title,
    ],
  );
  if (rows[0]) return rows[0];
  throw refuse(conflict, `The task is ${task.status}; only one that awaits approval can be given another input.`);
}
