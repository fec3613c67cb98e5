import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { endOwnShadow, shadowEnded } from "../../../agents/public.ts";

interface EndShadow {
  readonly agent: string;
  readonly deployment: string;
  readonly reason: string;
}

/** Ends a shadow that has used up its budget. */
export const endShadow: InsideOperation<EndShadow, object> = defineInside({
  id: "evaluations.endShadow",
  summary: "End a shadow whose budget is used up",
  permission: exempt("a worker of the service itself"),
  load: exempt("looks the shadow up under the agent's lock"),
  gate: exempt("ends work, starts none"),
  compliance: exempt("ends what policies saw at its start and at each of its actions"),
  audit: ({ params }) => `deployment:${params.deployment}`,
  emits: [shadowEnded],
  errors: [conflict],
  async handle(ctx, { params }) {
    await endOwnShadow(ctx, params, params.reason);
    return {};
  },
});
