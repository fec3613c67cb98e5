import type { WorkflowDefinition } from "@aos/workflow";
import { actorOfCall } from "../../../../kernel/actor.ts";
import type { CallContext } from "../../../../kernel/context.ts";
import type { Fault } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, governs } from "../../../../kernel/operation.ts";
import { findKnownAgent } from "../../../agents/public.ts";
import { runStarted, saveMissionVersion, startMissionRun } from "../../../workflows/public.ts";
import { missionState, wrongState } from "../../errors.ts";
import { exampleMission } from "../../example.ts";
import { workflowOf } from "../../missions/rules.ts";
import { aboutMission, gateOfAgents, loadMission, MissionParams } from "../../missions/stages.ts";
import { addToTimeline, lockMission, type MissionRow, updateMission } from "../../missions/store.ts";
import { AddedTask, AddTaskBody } from "../../schemas.ts";
import { byHandPrefix } from "../store.ts";

interface Given {
  readonly loaded: MissionRow;
  readonly body: AddTaskBody;
}

export const addTask = defineOperation({
  id: "missions.addTask",
  method: "POST",
  path: "/v1/missions/{mission}/tasks",
  status: 202,
  summary: "Add a task by hand",
  description:
    "Makes one more task for the mission, besides its plan: as a run of its own, within the same agents, budget and autonomy. Its result counts for the measure.",
  params: MissionParams,
  body: AddTaskBody,
  output: AddedTask,
  location: ({ mission_id }) => `/v1/missions/${mission_id}/tasks`,
  example: {
    params: { mission: exampleMission.mission_id },
    body: { agent: "sales", skill: "qualify_lead", input: { lead_id: "ld_1003" } },
    output: {
      mission_id: exampleMission.mission_id,
      step: "by_hand_01jd8x0000000000000000000s",
      run_id: "wfr_01jd8x0000000000000000000s",
      workflow: `mission-${exampleMission.mission_id}`,
    },
  },
  permission: "missions:run",
  load: loadMission,
  narrowing: byBody("the mission's agents", (_ctx, { loaded }: Given) => loaded.agents),
  validate: (ctx, { loaded, body }) => taskFaults(ctx, loaded, body),
  gate: gateOfAgents,
  decides: "mission",
  compliance: governs("mission.run"),
  audit: aboutMission,
  emits: [runStarted],
  errors: [missionState],
  async handle(ctx, { loaded, body }) {
    const mission = await lockMission(ctx, loaded.id);
    if (!["running", "paused", "blocked", "finished"].includes(mission.status))
      throw wrongState(mission.status, "a task can be added once it was started, until it is closed");
    const step = `${byHandPrefix}${ctx.newId("mev").slice(4)}`;
    const definition = workflowOfTask(mission, step, body);
    const version = await saveMissionVersion(ctx, { agents: [body.agent], definition, note: "A task added by hand." });
    const run = await startMissionRun(ctx, actorOfCall(ctx), {
      mission: mission.id,
      version,
      labels: mission.labels,
      input: { task: body.input },
    });
    if (mission.status === "finished") await updateMission(ctx, mission.id, { status: "running" });
    const text = `A task was added by hand: ${body.title ?? body.skill}.`;
    await addToTimeline(ctx, mission.id, { kind: "task.added", text, step, run });
    return { mission_id: mission.id, step, run_id: run, workflow: definition.workflow };
  },
});

function workflowOfTask({ id, goal }: MissionRow, step: string, body: AddTaskBody): WorkflowDefinition {
  const { agent, skill, input, title, require_approval } = body;
  const given = Object.fromEntries(Object.keys(input).map((name) => [name, `input.task[${JSON.stringify(name)}]`]));
  return {
    workflow: workflowOf(id),
    description: goal,
    steps: [
      {
        id: step,
        title: title ?? "Added by hand",
        agent: { name: agent, skill, input: given, ...(require_approval && { require_approval }) },
      },
    ],
    limits: { duration: "3650d" },
  };
}

function taskFaults(ctx: CallContext, { agents }: MissionRow, { agent, skill: name, input }: AddTaskBody): Fault[] {
  const detail = (text: string, pointer: string, code: string) => [{ pointer, code, detail: text }];
  if (!agents.includes(agent))
    return detail(`is none of the mission's agents, ${agents.join(", ")}`, "/agent", "agent_not_allowed");
  const live = findKnownAgent(ctx, agent)?.live;
  if (!live) return detail(`is not deployed in ${ctx.scope.environment}`, "/agent", "not_deployed");
  const skill = live.skills.get(name);
  if (!skill)
    return detail(
      `names no skill of ${agent}; it has ${[...live.skills.keys()].join(", ")}`,
      "/skill",
      "unknown_skill",
    );
  return skill.validate(input).map((fault) => ({ ...fault, pointer: `/input${fault.pointer ?? ""}` }));
}
