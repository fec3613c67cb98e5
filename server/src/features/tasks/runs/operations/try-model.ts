import type { Demand, Payer } from "../../../../kernel/budget.ts";
import type { CallContext, GroupContext } from "../../../../kernel/context.ts";
import type { Charge } from "../../../../kernel/ledger.ts";
import { defineInside, exempt, governs, type InsideOperation } from "../../../../kernel/operation.ts";
import type { Governed, RedactDemand } from "../../../../kernel/verdict.ts";
import { type Trial, trialFacts } from "../sandbox.ts";

export interface TryModel {
  readonly trial: Trial;
  /** Default: the service itself. */
  readonly charged?: Payer | undefined;
  readonly input: Readonly<Record<string, unknown>>;
  readonly model: string;
  /** The most that the turn may use of budgets. */
  readonly demand: Demand;
}

/** The turn may begin. `charge` is settled when it is over. */
export interface ModelTried {
  readonly charge: Charge | null;
  /** What to redact for the model. */
  readonly redact: RedactDemand | null;
}

/** A skill outside of tasks calls its model. */
export const tryModel: InsideOperation<TryModel, ModelTried> = defineInside({
  id: "tasks.tryModel",
  summary: "Ask a model outside of tasks",
  permission: exempt("a worker of the service itself; who had it run the skill was permitted to"),
  load: (_ctx, { trial }: TryModel) => trial,
  gate: exempt("makes no agent act: what it does is evidence for the gate"),
  compliance: governs(
    "model.call",
    (ctx: CallContext, { params, loaded }: { params: TryModel; query: undefined; body: undefined; loaded: Trial }) => ({
      ...trialFacts(ctx, loaded, params.input),
      model: { name: params.model },
    }),
    {
      spends: (ctx, { params, loaded }) => ({
        agent: loaded.agent,
        ...(params.charged ?? { keyId: null, principal: ctx.principal.id }),
        demand: params.demand,
      }),
    },
  ),
  audit: ({ params }) => `model:${params.model}`,
  together: tried,
  handle: async (ctx, given) => tried(ctx, given),
});

/** Changes nothing: its record is all that is written. */
function tried(ctx: Pick<GroupContext, "keepCharge">, { governed }: { governed: Governed }): ModelTried {
  return { charge: ctx.keepCharge(), redact: governed.redact };
}
