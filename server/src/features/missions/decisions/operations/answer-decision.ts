import { Type } from "typebox";
import { actorOfCall } from "../../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, governs } from "../../../../kernel/operation.ts";
import { askOfRuns, openRunsOf, runStarted } from "../../../workflows/public.ts";
import { decisionAnswered, fault, refuseFaults } from "../../errors.ts";
import { missionFinished, missionReplanned, missionStarted } from "../../events.ts";
import { exampleDecision } from "../../example.ts";
import { noteAnswerer } from "../../missions/accountable.ts";
import { goOn } from "../../missions/lifecycle.ts";
import { finish, replan, without } from "../../missions/settle.ts";
import { aboutMission, gateOfAgents, MissionParams } from "../../missions/stages.ts";
import { addToTimeline, findMission, lockMission, type MissionRow, updateMission } from "../../missions/store.ts";
import { decisionView } from "../../missions/view.ts";
import { findPlan, type PlanRow } from "../../plans/store.ts";
import { AnswerDecisionBody, DecisionId, MissionDecision } from "../../schemas.ts";
import {
  answerDecision as answer,
  type DecisionRow,
  findDecision,
  listOpenDecisions,
  withdrawDecisions,
} from "../store.ts";

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
      status: "answered",
      answer: "no",
      comment: "Not before the contract is signed.",
      answered_by: exampleDecision.asked_by,
      answered_at: "2026-11-23T09:20:00.000Z",
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
  const answered = await answer(ctx, decision.id, { answer: body.answer, comment: body.comment ?? null });
  if (!answered) throw refuse(decisionAnswered, "Somebody answered it, or it was withdrawn.");
  const label = decision.options.find((one) => one.id === body.answer)?.label ?? body.answer;
  await addToTimeline(ctx, id, { kind: "decision.answered", text: `${decision.question} — ${label}` });
  await carryOutAnswer(ctx, await noteAnswerer(ctx, mission), decision, body.answer);
  return decisionView(answered);
}

/** Carries out an answer. A mission without further blocking questions goes on. */
export async function carryOutAnswer(
  ctx: WriteContext,
  mission: MissionRow,
  decision: DecisionRow,
  answer: string,
): Promise<void> {
  if (mission.status !== "blocked" || !decision.blocks) return;
  if (decision.kind !== "question" && answer === "stop") return stop(ctx, mission);
  const others = (await listOpenDecisions(ctx, [mission.id])).filter(({ blocks }) => blocks);
  if (others.length > 0) return;
  if (decision.kind === "failure" && (answer === "retry" || answer === "skip"))
    return goOnOtherwise(ctx, mission, decision, answer);
  if (decision.kind === "deadline" && mission.deadline !== null && mission.deadline.getTime() < ctx.now)
    refuseFaults([fault("/answer", "deadline_passed", "cannot be continue before the deadline is changed")]);
  await goOn(ctx, mission);
}

async function stop(ctx: WriteContext, mission: MissionRow): Promise<void> {
  await askOfRuns(ctx, await openRunsOf(ctx, mission.id), "cancel");
  // Tasks that are added from now on do not wait for the run that ends here.
  await updateMission(ctx, mission.id, { run_id: null });
  await withdrawDecisions(ctx, mission.id, { every: false });
  await finish(ctx, mission, "The work of the plan was stopped.");
}

/** A new version of the plan: with the step again, or without it. */
async function goOnOtherwise(
  ctx: WriteContext,
  mission: MissionRow,
  { context }: DecisionRow,
  answer: "retry" | "skip",
): Promise<void> {
  const before = (await findPlan(ctx, mission.id, mission.plan_number ?? 0)) as PlanRow;
  const step = typeof context.step === "string" ? context.step : "";
  const steps = answer === "skip" ? without(before.plan.steps, step) : before.plan.steps;
  if (steps.length === 0) return stop(ctx, mission);
  await askOfRuns(ctx, await openRunsOf(ctx, mission.id), "cancel");
  const note = answer === "skip" ? `Without ${step}.` : `${step} again.`;
  const actor = actorOfCall(ctx);
  if (await replan(ctx, mission, before, { steps, note, actor, withinAccepted: false })) return;
  refuseFaults([
    fault("/answer", "plan_has_errors", "leads to a plan that cannot be carried out; propose another plan"),
  ]);
}
