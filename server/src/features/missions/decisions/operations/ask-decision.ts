import { defineOperation, governs } from "../../../../kernel/operation.ts";
import { missionState, wrongState } from "../../errors.ts";
import { decisionRequired } from "../../events.ts";
import { exampleDecision } from "../../example.ts";
import { block } from "../../missions/lifecycle.ts";
import { isClosed } from "../../missions/rules.ts";
import { aboutMission, loadMission, MissionParams, startsNothing } from "../../missions/stages.ts";
import { addToTimeline, lockMission } from "../../missions/store.ts";
import { decisionView } from "../../missions/view.ts";
import { AskDecisionBody, MissionDecision } from "../../schemas.ts";
import { insertDecision } from "../store.ts";

export const askDecision = defineOperation({
  id: "missions.askDecision",
  method: "POST",
  path: "/v1/missions/{mission}/decisions",
  status: 201,
  summary: "Put a question to people",
  description:
    "The question is open until somebody answers it. With `blocks`, a running mission begins no further task until then.",
  params: MissionParams,
  body: AskDecisionBody,
  output: MissionDecision,
  location: ({ mission_id }) => `/v1/missions/${mission_id}`,
  example: {
    params: { mission: exampleDecision.mission_id },
    body: { question: exampleDecision.question, options: exampleDecision.options, context: { leads: 3 } },
    output: exampleDecision,
  },
  permission: "missions:run",
  load: loadMission,
  gate: startsNothing,
  decides: "mission",
  compliance: governs("mission.decide"),
  audit: aboutMission,
  emits: [decisionRequired],
  errors: [missionState],
  async handle(ctx, { loaded, body }) {
    const mission = await lockMission(ctx, loaded.id);
    if (isClosed(mission.status)) throw wrongState(mission.status, "nothing is decided about it any more");
    const { question, options = [], context = {}, blocks = false } = body;
    const asked = { kind: "question", question, options, context, blocks } as const;
    const holds = blocks && mission.status === "running";
    const decision = holds ? await block(ctx, mission, asked) : await insertDecision(ctx, mission.id, asked);
    if (!holds) {
      const payload = { mission_id: mission.id, goal: mission.goal, status: mission.status };
      ctx.emit(decisionRequired, { ...payload, decision_id: decision.id, question });
      await addToTimeline(ctx, mission.id, { kind: "decision.asked", text: question });
    }
    return decisionView(decision);
  },
});
