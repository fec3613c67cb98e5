import { Type } from "typebox";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, governs } from "../../../kernel/operation.ts";
import { runStarted } from "../../workflows/public.ts";
import { noteAnswerer } from "../accountable.ts";
import { carryOutAnswer } from "../answers.ts";
import { answerDecision as answer, type DecisionRow, findDecision } from "../decision-store.ts";
import { decisionAnswered } from "../errors.ts";
import { missionFinished, missionReplanned, missionStarted } from "../events.ts";
import { exampleDecision } from "../example.ts";
import { again } from "../lifecycle.ts";
import { aboutMission, gateOfAgents, MissionParams } from "../mission-params.ts";
import { AnswerDecisionBody, DecisionId, MissionDecision } from "../schemas.ts";
import { addToTimeline, findMission, lockMission, type MissionRow } from "../store.ts";
import { decisionView } from "../view.ts";

interface Loaded extends Pick<MissionRow, "id" | "agents"> {
  readonly decision: DecisionRow;
}

export const answerDecision = defineOperation({
  id: "missions.answerDecision",
  method: "POST",
  path: "/v1/missions/{mission}/decisions/{decision}",
  summary: "Answer a question",
  description:
    "Answers once. What the service asked it then does: `retry` and `skip` go on by a new version of the plan, `continue` goes on as before, `stop` ends the work of the plan. A mission that waited for the answer goes on.",
  params: Type.Object({ ...MissionParams.properties, decision: DecisionId }),
  body: AnswerDecisionBody,
  output: MissionDecision,
  example: {
    params: { mission: exampleDecision.mission_id, decision: exampleDecision.decision_id },
    body: { answer: "no", comment: "Not before the contract is signed." },
    output: {
      ...exampleDecision,
      ...{ status: "answered", answer: "no", comment: "Not before the contract is signed." },
      ...{ answered_by: exampleDecision.asked_by, answered_at: "2026-11-23T09:20:00.000Z" },
    },
  },
  permission: "missions:run",
  load: loadDecision,
  validate: (_ctx, { loaded: { decision }, body }) => {
    const { options } = decision;
    if (options.length === 0 || options.some(({ id }) => id === body.answer)) return [];
    const names = options.map(({ id }) => id).join(", ");
    return [{ pointer: "/answer", code: "unknown_option", detail: `is none of the options: ${names}` }];
  },
  gate: gateOfAgents,
  decides: "mission",
  compliance: governs("mission.decide"),
  audit: aboutMission,
  emits: [missionStarted, missionReplanned, missionFinished, runStarted],
  errors: [decisionAnswered],
  handle: (ctx, { loaded, body }) => settle(ctx, loaded, body),
});

async function loadDecision(
  ctx: ReadContext,
  given: { mission: string; decision: string },
): Promise<Loaded | undefined> {
  const mission = await findMission(ctx, given.mission);
  const decision = mission && (await findDecision(ctx, mission.id, given.decision));
  return decision && { id: mission.id, agents: mission.agents, decision };
}

async function settle(ctx: WriteContext, { id, decision }: Loaded, body: AnswerDecisionBody): Promise<MissionDecision> {
  const mission = await lockMission(ctx, id);
  if (!(await answer(ctx, decision.id, { answer: body.answer, comment: body.comment ?? null })))
    throw refuse(decisionAnswered, "Somebody answered it, or it was withdrawn.");
  const label = decision.options.find((one) => one.id === body.answer)?.label ?? body.answer;
  await addToTimeline(ctx, id, { kind: "decision.answered", text: `${decision.question} — ${label}` });
  await noteAnswerer(ctx, mission);
  await carryOutAnswer(ctx, await again(ctx, mission), decision, body.answer);
  return decisionView((await findDecision(ctx, id, decision.id)) as DecisionRow);
}
