import type { CallContext, ReadContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { isId } from "../../kernel/ids.ts";
import type { AuditObject } from "../../kernel/operation.ts";
import { findKnownAgent } from "../agents/public.ts";
import { findTask, type TaskRow } from "../tasks/public.ts";
import type { Task } from "../tasks/schemas.ts";
import { fourEyes, personsOnly } from "./errors.ts";
import { barOf } from "./model.ts";
import { type ApprovalRow, findApproval, type KnownApproval } from "./store.ts";

/** What the path of an approval's operations names. `agent` is what keys are narrowed to. */
export interface LoadedApproval {
  readonly agent: string;
  readonly approval: KnownApproval;
  readonly task: TaskRow;
}

/** The approval, by its id or its task's, with its task. */
export async function loadApproval(ctx: ReadContext, id: string): Promise<LoadedApproval | undefined> {
  const approval = await findApproval(ctx, id);
  const task = approval && (await findTask(ctx, approval.task_id));
  return approval && task && { agent: approval.agent, approval, task };
}

/** The same for a decision: who can never decide it is refused before the body is looked at. */
export async function loadDecidable(ctx: ReadContext, id: string): Promise<LoadedApproval | undefined> {
  const loaded = await loadApproval(ctx, id);
  if (loaded) refuseBarred(ctx, loaded.approval);
  return loaded;
}

/** Refuses a principal that cannot decide this approval: `persons_only`, `four_eyes`. */
export function refuseBarred(ctx: CallContext, approval: ApprovalRow): void {
  const bar = barOf(ctx.principal, approval);
  if (bar) throw refuse(bar.code === "persons_only" ? personsOnly : fourEyes, bar.reason, { stage: "permissions" });
}

/** What policies see of an approval: whose action it is, its risk and trust. */
export function approvalFacts(ctx: CallContext, { approval, task }: LoadedApproval) {
  const { score, impact, likelihood } = JSON.parse(task.risk) as Task["risk"];
  const trust = JSON.parse(task.trust) as Task["trust"];
  return {
    agent: { name: approval.agent, labels: findKnownAgent(ctx, approval.agent)?.labels ?? [] },
    version: { number: approval.version_number, id: approval.version_id },
    skill: { name: approval.skill },
    risk: { level: approval.risk_level, score, impact, likelihood },
    trust: { score: trust.score, low: trust.low, high: trust.high },
  };
}

/** What audit records of an approval's operations name. */
export function approvalAudit({ params, loaded }: { params: { approval: string }; loaded: LoadedApproval | undefined }): AuditObject {
  if (!loaded) {
    const { approval: id } = params;
    const known = (prefix: "apr" | "tsk"): string | null => (isId(id, prefix) ? id : null);
    return { object: `approval:${id}`, approval: known("apr"), task: known("tsk") };
  }
  const { approval, task } = loaded;
  return { object: `approval:${approval.id}`, approval: approval.id, task: task.id, subject: task.subject, trust: task.trust_score };
}
