import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { runStarted } from "../../../workflows/public.ts";
import { decisionRequired, missionFinished, missionReplanned, missionStarted } from "../../events.ts";
import { isClosed } from "../rules.ts";
import { settleRun } from "../settle.ts";
import { findMission, lockMission } from "../store.ts";

export interface SettleMission {
  readonly mission: string;
  readonly run: string;
}

/** Settles an ended run: the mission is finished, goes on by another plan, or asks people. */
export const settleMission: InsideOperation<SettleMission, { readonly status: string }> = defineInside({
  id: "missions.settleMission",
  summary: "Take the end of a mission's run",
  permission: exempt("a worker of the service itself, for who started the mission"),
  load: (ctx, { mission }: SettleMission) => findMission(ctx, mission),
  gate: exempt("decides what comes next; each task passes the gate of its own agent"),
  compliance: exempt("carries out what people accepted; each task is judged by itself"),
  audit: ({ params }) => `mission:${params.mission}`,
  emits: [missionFinished, missionReplanned, missionStarted, decisionRequired, runStarted],
  async handle(ctx, { params: { run }, loaded }) {
    const mission = await lockMission(ctx, loaded.id);
    if (!isClosed(mission.status)) await settleRun(ctx, mission, run);
    return { status: mission.status };
  },
});
