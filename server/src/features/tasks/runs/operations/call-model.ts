import type { Demand } from "../../../../kernel/budget.ts";
import type { CallContext, WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import type { Charge } from "../../../../kernel/ledger.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict, policyBlocked } from "../../../../kernel/problems.ts";
import type { ApprovalDemand, Governed, RedactDemand } from "../../../../kernel/verdict.ts";
import { approvalMeets, approvalState } from "../../../approvals/requests/public.ts";
import { insertStep, type NewStep } from "../../steps/store.ts";
import type { TaskRow } from "../../tasks/store.ts";
import { appendStep, holdLease } from "../guards.ts";
import { type HeldRun, workOf, writeLateEnd } from "../holds.ts";
import { inputOfRow, type LoadedTask, runFacts } from "../rules.ts";
import { leaseLostOf } from "../store.ts";

export interface CallModel {
  readonly task: string;
  readonly owner: string;
  /** The step's position in the run. */
  readonly number: number;
  readonly model: string;
  /** The prompt as the journal has it. */
  readonly shown: unknown;
  /** Personal data of the run's input is redacted. */
  readonly hides?: boolean;
  /** The most that the turn may use of budgets. */
  readonly demand: Demand;
  /** The run, if the asking process started it. */
  readonly held?: HeldRun;
}

/** The turn may begin: its step is open. `charge` is settled when the turn is over. */
export interface ModelCalled {
  readonly id: string;
  readonly charge: Charge | null;
  /** What to redact for the model. */
  readonly redact: RedactDemand | null;
}

export const callModel: InsideOperation<CallModel, ModelCalled> = defineInside({
  id: "tasks.callModel",
  summary: "Ask a model",
  permission: exempt("a worker of the service itself; the model is the one that the task's version names"),
  load: (ctx, { task, held }: CallModel) => workOf(ctx, task, held),
  gate: exempt("passed when the task was started"),
  compliance: governs(
    "model.call",
    (
      ctx: CallContext,
      { params, loaded }: { params: CallModel; query: undefined; body: undefined; loaded: LoadedTask },
    ) => ({
      ...runFacts(ctx, loaded, inputOfRow(loaded.row)),
      ...(params.held?.found ? { found: params.held.found } : {}),
      model: { name: params.model },
    }),
    {
      waits: true,
      keepsInput: ({ params }) => params.hides !== true,
      // A run is charged to who dispatched it, whichever worker runs it.
      spends: (_ctx, { params, loaded: { row } }) => ({
        agent: row.agent,
        keyId: row.key_id,
        principal: row.principal,
        demand: params.demand,
      }),
    },
  ),
  audit: ({ params, loaded }) => ({
    object: `model:${params.model}`,
    task: loaded?.row.id ?? params.task,
    ...(loaded ? { subject: loaded.row.subject } : {}),
  }),
  errors: [conflict],
  together(ctx, { params, loaded: { row }, governed }): ModelCalled | undefined {
    if (governed.approval || !params.held || params.held.resumed) return undefined;
    const step = stepOf(ctx, params, governed);
    holdLease(ctx, row, params.owner, params.held.late);
    appendStep(ctx, row, step);
    return { id: step.id, charge: ctx.keepCharge(step.id), redact: governed.redact };
  },
  async handle(ctx, { params, loaded: { row }, governed }): Promise<ModelCalled> {
    if (governed.approval) await refuseUnapproved(ctx, row, governed.approval);
    await writeLateEnd(ctx, params);
    const step = stepOf(ctx, params, governed);
    const { task, owner } = params;
    if (!(await insertStep(ctx.db, { scope: ctx.scope, task, owner }, step))) throw await leaseLostOf(ctx, row.id);
    return { id: step.id, charge: ctx.keepCharge(step.id), redact: governed.redact };
  },
});

function stepOf(ctx: CallContext, { number, model: name, shown: input }: CallModel, { stages }: Governed): NewStep {
  const verdict = stages.find(({ stage }) => stage === "compliance")?.verdict ?? "not_applicable";
  return { id: ctx.newId("stp"), number, kind: "model", name, input, verdict };
}

/** The task's approval includes a model turn, if it is at least as strict as what the turn needs. No turn is approved alone. */
async function refuseUnapproved(ctx: WriteContext, row: TaskRow, demand: ApprovalDemand): Promise<void> {
  const id = row.call_approval ? row.run_approval_id : row.approval_id;
  if (id !== null && (await approvalState(ctx, id)) === "consumed" && (await approvalMeets(ctx, id, demand))) return;
  const given = id === null ? "nobody was asked to approve the task" : "the approval of the task is weaker than that";
  const persons = `${demand.approvers} ${demand.approvers === 1 ? "person" : "persons"}${demand.requester_allowed ? "" : " other than the requester"}`;
  const detail = `${demand.reasons.join(" ")} Asking the model needs approval of the task by ${persons}; ${given}. Dispatch it with require_approval.`;
  throw refuse(policyBlocked, detail, { stage: "compliance" });
}
