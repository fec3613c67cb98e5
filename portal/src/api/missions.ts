import { wholeOf } from "../lib/pages.ts";
import { type Answer, type ChangeInput, type GetQuery, get, getText, send } from "./client.ts";
import { type Read, read, untold } from "./queries.ts";
import type { Schema } from "./types.ts";

export type MissionSummary = Schema<"MissionSummary">;
export type Mission = Schema<"Mission">;
export type Plan = NonNullable<Mission["accepted_plan"]>;
export type PlanStep = Plan["steps"][number];
export type Decision = NonNullable<Mission["next_decision"]>;
export type Measured = Mission["measured"];
export type Measure = Mission["measure"];
export type MissionSpend = Mission["spend"];
export type MissionTask = Answer<"/v1/missions/{mission}/tasks">["data"][number];
export type MissionBudget = Answer<"/v1/missions/{mission}/budget">;
export type MissionReport = Answer<"/v1/missions/{mission}/report">;
export type MissionTemplate = Answer<"/v1/missions/templates">["data"][number];
export type NewMission = ChangeInput<"post", "/v1/missions">["body"];

const of = (mission: string) => ({ path: { mission } });

export const listMissions = (filter: GetQuery<"/v1/missions">) => untold(read("/v1/missions", { query: filter }));
export const readMission = (mission: string) => untold(read("/v1/missions/{mission}", of(mission)));
/** All tasks of a mission, up to a thousand. */
export const listMissionTasks = (mission: string): Read<Answer<"/v1/missions/{mission}/tasks">> => ({
  queryKey: ["/v1/missions/{mission}/tasks", of(mission)],
  queryFn: ({ signal }) =>
    wholeOf((from) => get("/v1/missions/{mission}/tasks", { ...of(mission), query: { limit: 100, ...from } }, signal)),
  untold: true,
});
export const listMissionPlans = (mission: string) =>
  untold(read("/v1/missions/{mission}/plans", { ...of(mission), query: { limit: 20 } }));
export const listMissionTimeline = (mission: string) =>
  untold(read("/v1/missions/{mission}/timeline", { ...of(mission), query: { limit: 100 } }));
export const readMissionBudget = (mission: string) => untold(read("/v1/missions/{mission}/budget", of(mission)));
export const readMissionRisks = (mission: string) => untold(read("/v1/missions/{mission}/risks", of(mission)));
export const readMissionReport = (mission: string) => untold(read("/v1/missions/{mission}/report", of(mission)));
/** The report as a text to hand on. */
export const readReportText = (mission: string): Promise<string> =>
  getText("/v1/missions/{mission}/report", of(mission), "text/markdown");
export const listMissionTemplates = () => read("/v1/missions/templates", { query: { limit: 100 } });

export const createMission = (body: NewMission) => send("post", "/v1/missions", { body });
export const changeMission = ({
  mission,
  ...body
}: { mission: string } & ChangeInput<"patch", "/v1/missions/{mission}">["body"]) =>
  send("patch", "/v1/missions/{mission}", { ...of(mission), body });
export const proposePlan = ({
  mission,
  ...body
}: { mission: string } & NonNullable<ChangeInput<"post", "/v1/missions/{mission}/plan">["body"]>) =>
  send("post", "/v1/missions/{mission}/plan", { ...of(mission), body });
export const acceptPlan = ({ mission, plan }: { mission: string; plan: number }) =>
  send("post", "/v1/missions/{mission}/plans/{plan}/accept", { path: { mission, plan } });
/** Starts by a plan, which is accepted with it, or goes on. */
export const startMission = ({ mission, plan }: { mission: string; plan?: number }) =>
  send("post", "/v1/missions/{mission}/start", { ...of(mission), body: plan === undefined ? {} : { plan } });
export const pauseMission = ({ mission, ...body }: { mission: string; reason?: string }) =>
  send("post", "/v1/missions/{mission}/pause", { ...of(mission), body });
export const cancelMission = ({ mission, ...body }: { mission: string; reason?: string }) =>
  send("post", "/v1/missions/{mission}/cancel", { ...of(mission), body });
export const completeMission = ({ mission, ...body }: { mission: string; note?: string }) =>
  send("post", "/v1/missions/{mission}/complete", { ...of(mission), body });
export const cloneMission = ({ mission, ...body }: { mission: string; goal?: string }) =>
  send("post", "/v1/missions/{mission}/clone", { ...of(mission), body });
export const answerDecision = ({
  mission,
  decision,
  ...body
}: {
  mission: string;
  decision: string;
  answer: string;
  comment?: string;
}) => send("post", "/v1/missions/{mission}/decisions/{decision}", { path: { mission, decision }, body });
