import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { decisionRequired } from "../../events.ts";
import { deadlinePassed } from "../../work/reserve.ts";
import { block } from "../lifecycle.ts";
import { findMission, lockMission } from "../store.ts";

/** Blocks a mission whose deadline has passed, and asks people. */
export const passDeadline: InsideOperation<{ readonly mission: string }, { readonly held: boolean }> = defineInside({
  id: "missions.passDeadline",
  summary: "Hold a mission whose deadline has passed",
  permission: exempt("the service's own look at what is due"),
  load: (ctx, { mission }: { readonly mission: string }) => findMission(ctx, mission),
  gate: exempt("stops work, starts none"),
  compliance: exempt("carries out the deadline that people set"),
  audit: ({ params }) => `mission:${params.mission}`,
  emits: [decisionRequired],
  async handle(ctx, { loaded }) {
    const mission = await lockMission(ctx, loaded.id);
    const isDue = mission.deadline !== null && mission.deadline.getTime() < ctx.now;
    if (mission.status !== "running" || !isDue) return { held: false };
    await block(ctx, mission, deadlinePassed);
    return { held: true };
  },
});
