import { decisionTrust, decisionVerdicts, decisionVotes } from "@aos/proof";
import { Type } from "typebox";
import type { ReadContext } from "../../../../kernel/context.ts";
import { byObject } from "../../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleDecision } from "../../example.ts";
import { storedRecord } from "../../log/stored-record.ts";
import { eventView, listShown } from "../../log/view.ts";
import { auditPort } from "../../ports.ts";
import { DecisionRecord } from "../../schemas.ts";
import { type DecisionTask, findDecision, listApprovals, listDecisionCalls } from "../store.ts";
import { approvalView, callView, taskView } from "../view.ts";

/** Records that one decision record holds: with their proofs about half a megabyte. */
const mostRecords = 200;

export const readDecision = defineRead({
  id: "audit.readDecision",
  path: "/v1/audit/tasks/{task}",
  summary: "Read the decision record of a task",
  description:
    "Who had it done, by which version with which tools, what policies and people decided, what it called and cost, and every record of it with its proof. " +
    "Saved as a file it is a package that `aos audit verify` verifies offline: each record by its proof, and what is said of votes and verdicts by the records. " +
    "Version, approvals, calls and cost are the service's word; the records commit to requests and responses.",
  params: Type.Object({ task: Type.String({ description: "The task, `tsk_…`." }) }),
  output: DecisionRecord,
  example: { params: { task: exampleDecision.task_id }, output: exampleDecision },
  permission: "audit:read",
  load: (ctx, { task }) => findDecision(ctx, task),
  narrowing: byObject("the agent of the task", (_ctx, { loaded }: { loaded: DecisionTask }) => [loaded.agent]),
  compliance: governs("audit.read"),
  audit: ({ params }) => `task:${params.task}`,
  async handle(ctx, { loaded }): Promise<DecisionRecord> {
    const shown = await listShown(ctx, ctx.scope, { task: loaded.id }, { after: undefined, take: mostRecords + 1 });
    const rows = shown.slice(0, mostRecords).reverse();
    const events = rows.map(eventView);
    const leaves = rows.map(storedRecord);
    const [approvals, calls, records] = await Promise.all([
      listApprovals(ctx, loaded.id),
      listDecisionCalls(ctx, loaded.id),
      Promise.all(events.map(async (event) => ({ ...event, proof: await proofOf(ctx, event.audit_ref) }))),
    ]);
    return {
      ...taskView(loaded, decisionTrust(leaves)),
      verdicts: decisionVerdicts(leaves),
      votes: decisionVotes(leaves),
      approvals: approvals.map(approvalView),
      calls: calls.map(callView),
      records,
      complete: shown.length <= mostRecords,
      log_key: ctx.port(auditPort).logKey(ctx.scope),
    };
  },
});

async function proofOf(ctx: ReadContext, auditRef: string): Promise<string | null> {
  const proof = await ctx.port(auditPort).proof(ctx.scope, auditRef);
  return proof.state === "proved" ? proof.text : null;
}
