import { Type } from "typebox";
import { defineEvent, everyone } from "../../kernel/events.ts";
import { DecisionId, MissionId } from "./schemas.ts";

const common = { mission_id: MissionId, goal: Type.String(), status: Type.String() };
const missionEvent = <T extends string>(type: T, summary: string) =>
  defineEvent({ type, summary, readers: everyone, schema: Type.Object({ event: Type.Literal(type), ...common }) });

export const missionStarted = missionEvent("mission.started", "A mission was started, or goes on.");
export const missionPaused = missionEvent("mission.paused", "A mission was paused.");
export const missionFinished = missionEvent("mission.finished", "All work of a mission's plan is done.");
export const missionCompleted = missionEvent("mission.completed", "A mission was completed.");
export const missionCancelled = missionEvent("mission.cancelled", "A mission was cancelled.");

export const missionReplanned = defineEvent({
  type: "mission.replanned",
  summary: "A mission goes on by another version of its plan, within what people accepted.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("mission.replanned"),
    ...common,
    plan: Type.Integer(),
    reason: Type.String(),
  }),
});

export const decisionRequired = defineEvent({
  type: "mission.decision_required",
  summary: "A mission waits for a decision of people.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("mission.decision_required"),
    ...common,
    decision_id: DecisionId,
    question: Type.String(),
  }),
});
