import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { type Draw, findMonitor, insertReviews } from "../review-store.ts";

/** Puts tasks that a monitor has drawn into the review queue. */
export const drawReviews: InsideOperation<Pick<Draw, "monitor" | "tasks">, { readonly sampled: number }> = defineInside(
  {
    id: "evaluations.drawReviews",
    summary: "Draw tasks for review",
    permission: exempt("a machine of the service itself"),
    load: (ctx, { monitor }: Pick<Draw, "monitor" | "tasks">) => findMonitor(ctx, monitor),
    gate: exempt("makes no agent act"),
    compliance: exempt("carries out what a caller was allowed to ask for"),
    audit: ({ params }) => `monitor:${params.monitor}`,
    async handle(ctx, { params: { monitor, tasks } }) {
      await insertReviews(ctx, monitor, tasks);
      return { sampled: tasks.length };
    },
  },
);
