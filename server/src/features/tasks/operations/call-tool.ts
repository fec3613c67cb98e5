import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict, policyBlocked } from "../../../kernel/problems.ts";
import type { ApprovalDemand, RedactDemand } from "../../../kernel/verdict.ts";
import type { RecordToolDefinition } from "../../agents/schemas.ts";
import { approvalMeets, approvalState } from "../../approvals/public.ts";
import { findRecord } from "../../knowledge/public.ts";
import { loadWork, runFacts, type Work } from "../run-model.ts";
import { addCost, lockLeased } from "../run-store.ts";

export interface CallTool {
  readonly task: string;
  readonly owner: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What the tool found; `record` null: there is no such record. With what policies said of the call. */
export interface ToolCalled {
  readonly record: { readonly id: string; readonly base: string; readonly fields: Readonly<Record<string, unknown>> } | null;
  /** The base and id that were looked up. */
  readonly asked: { readonly base: string; readonly id: string };
  readonly verdict: string;
  /** What the call cost, in US dollars, whether or not anything was found. */
  readonly costUsd: number;
  /** What of the record the run gets as placeholders only. */
  readonly redact: RedactDemand | null;
}

type Loaded = Work & { readonly tool: RecordToolDefinition };

/** A running task calls one of its skill's tools. Tools that the skill does not name are not there for it. */
export const callTool: InsideOperation<CallTool, ToolCalled> = defineInside({
  id: "tasks.callTool",
  summary: "Call a tool",
  permission: exempt("a worker of the service itself; the tool is one that the task's skill names"),
  async load(ctx, { task, tool: name }: CallTool): Promise<Loaded | undefined> {
    const work = await loadWork(ctx, task);
    const tool = work?.tools.find((one) => one.name === name);
    return work && tool && { ...work, tool };
  },
  gate: exempt("passed when the task was started"),
  compliance: governs(
    "tool.call",
    (ctx: CallContext, { params, loaded }: { params: CallTool; query: undefined; body: undefined; loaded: Loaded }) => ({
      ...runFacts(ctx, loaded, params.arguments),
      tool: { name: loaded.tool.name, effect: loaded.tool.effect },
    }),
    {
      waits: true,
      // A run is charged to who dispatched it, whichever worker it runs in.
      spends: (_ctx, { loaded: { row, tool } }) => ({
        agent: row.agent,
        keyId: row.key_id,
        principal: row.principal,
        demand: { steps: 1, usd: tool.cost_usd ?? 0 },
      }),
    },
  ),
  audit: ({ params, loaded }) => ({
    object: `tool:${params.tool}`,
    task: loaded?.row.id ?? params.task,
    ...(loaded ? { subject: loaded.row.subject } : {}),
  }),
  emits: [],
  errors: [conflict],
  async handle(ctx, { params, loaded: { row, tool }, governed }): Promise<ToolCalled> {
    if (governed.approval) await refuseUnapproved(ctx, row.approval_id, governed.approval);
    const [id] = Object.values(params.arguments);
    if (typeof id !== "string") throw new TypeError(`${tool.name} takes one argument, the record's id as text`);
    // The task is not locked while the tool works: a stop must not wait for it. What a worker finds that has lost the task by then does not count.
    const record = await findRecord(ctx, tool.base, id);
    await lockLeased(ctx, params.task, params.owner);
    const costUsd = tool.cost_usd ?? 0;
    if (costUsd > 0) await addCost(ctx, params.task, costUsd);
    const verdict = governed.stages.find(({ stage }) => stage === "compliance")?.verdict ?? "not_applicable";
    const found = record ? { id, base: tool.base, fields: record.fields } : null;
    return { record: found, asked: { base: tool.base, id }, verdict, costUsd, redact: governed.redact };
  },
});

/**
 * A tool that only reads, as all do, is covered by the approval under which its task runs, if that is at least as strict as what is
 * demanded of the call.
 */
async function refuseUnapproved(ctx: WriteContext, approvalId: string | null, demand: ApprovalDemand): Promise<void> {
  const used = approvalId !== null && (await approvalState(ctx, approvalId)) === "consumed";
  if (used && (await approvalMeets(ctx, approvalId, demand))) return;
  const given = approvalId === null ? "nobody was asked to approve the task" : "the approval of the task is weaker than that";
  const persons = `${demand.approvers} ${demand.approvers === 1 ? "person" : "persons"}${demand.requester_allowed ? "" : " other than the requester"}`;
  const detail = `${demand.reasons.join(" ")} The call needs approval by ${persons}; ${given}, and approving one call in mid-run is not available yet.`;
  throw refuse(policyBlocked, detail, { stage: "compliance" });
}
