import { Type } from "typebox";
import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { missionState, refuseFaults, wrongState } from "../../errors.ts";
import { exampleMission } from "../../example.ts";
import { listSpend, totalSpend } from "../../progress/spend-store.ts";
import { ChangeMissionBody, Mission, MissionId } from "../../schemas.ts";
import { decidedBy, decidersOfMission } from "../accountable.ts";
import { isClosed, settingChanges, settingFaults } from "../rules.ts";
import { addToTimeline, findMission, lockMission, type MissionRow, updateMission } from "../store.ts";
import { missionView } from "../view.ts";

interface Given {
  readonly loaded: MissionRow;
  readonly body: ChangeMissionBody;
}

export const changeMission = defineOperation({
  id: "missions.changeMission",
  method: "PATCH",
  path: "/v1/missions/{mission}",
  listed: true,
  summary: "Change a mission",
  description:
    "Each member that is given takes the place of what was there; what is left out stays. Budget, deadline, autonomy and measure count at once. Agents and inputs count for plans that are proposed from now on: " +
    "the accepted plan stays, and tasks of an agent that was removed are not begun. The budget cannot fall below what is spent and reserved.",
  params: Type.Object({ mission: MissionId }),
  body: ChangeMissionBody,
  output: Mission,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  mayMatch: ({ revision }: MissionRow) => revision,
  example: {
    params: { mission: exampleMission.mission_id },
    body: { budget: { cost_usd: 5, tasks: 60 } },
    output: { ...exampleMission, revision: 2 },
  },
  permission: "missions:write",
  load: (ctx, { mission }) => findMission(ctx, mission),
  narrowing: byBody("the mission's agents and those in the body", (_ctx, { loaded, body }: Given) => [
    ...loaded.agents,
    ...(body.agents ?? []),
  ]),
  validate: (ctx, { body }) => settingFaults(ctx, body),
  gate: exempt("makes no agent act"),
  decides: "mission",
  compliance: governs("mission.change"),
  audit: ({ params }) => `mission:${params.mission}`,
  errors: [missionState],
  async handle(ctx, { loaded, body }) {
    const row = await lockMission(ctx, loaded.id);
    if (ctx.basedOnLoaded && row.revision !== loaded.revision) throw changedMeanwhile();
    if (isClosed(row.status)) throw wrongState(row.status, "what is closed does not change");
    const { spent, reserved, begun } = totalSpend(await listSpend(ctx, [row.id]));
    refuseFaults(budgetFaults(body, spent + reserved, begun));
    const decided = saysWhatToDo(body) ? decidedBy(row, decidersOfMission(ctx, "input", row.id)) : {};
    const changed = await updateMission(ctx, row.id, { ...settingChanges(body), ...decided }, { revised: true });
    const text = `Changed: ${Object.keys(body).join(", ")}.`;
    await addToTimeline(ctx, row.id, { kind: "mission.changed", text });
    return missionView(ctx, changed);
  },
});

/** Whether a change concerns what plans are made of. Budget, deadline and autonomy only bound them. */
const saysWhatToDo = ({ goal, inputs, agents, measure }: ChangeMissionBody): boolean =>
  [goal, inputs, agents, measure].some((member) => member !== undefined);

function budgetFaults({ budget }: ChangeMissionBody, used: number, tasks: number) {
  if (!budget) return [];
  const below = (pointer: string, detail: string) => ({ pointer, code: "below_use", detail });
  return [
    ...(budget.cost_usd < used
      ? [below("/budget/cost_usd", `is less than the ${used.toFixed(2)} US dollars that are spent or reserved`)]
      : []),
    ...(budget.tasks < tasks ? [below("/budget/tasks", `is less than the ${tasks} tasks that were begun`)] : []),
  ];
}
