import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { wakeRun } from "../../tasks/public.ts";
import { findRun, noteHold } from "../run-store.ts";
import type { RefuseStep } from "./refuse-step.ts";
import type { StartStep } from "./start-step.ts";

const soonestMs = 2_000;
const latestMs = 60_000;

/** Notes why a step that has begun cannot start yet: it is tried again, the later the longer it has been held. The run itself goes on. */
export const holdStep: InsideOperation<StartStep & Pick<RefuseStep, "failure">, { readonly noted: true }> =
  defineInside({
    id: "workflows.holdStep",
    summary: "Hold a step of a workflow at its start",
    permission: exempt("a worker of the service itself"),
    load: (ctx, { run }: StartStep & Pick<RefuseStep, "failure">) => findRun(ctx, run),
    gate: exempt("starts no work"),
    compliance: exempt("writes down what gate, kill switch or budget decided"),
    audit: ({ params }) => `run:${params.run}`,
    async handle(ctx, { params: { run, step, attempt, failure } }) {
      const since = await noteHold(ctx, { run, step, attempt }, failure);
      const after = Math.min(latestMs, Math.max(soonestMs, (ctx.now - (since ?? ctx.now)) / 4));
      ctx.enqueue({ ...wakeRun(ctx.scope, run), key: `run ${run} held`, runAt: new Date(ctx.now + after) });
      return { noted: true };
    },
  });
