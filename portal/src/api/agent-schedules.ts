import { type ChangeInput, send } from "./client.ts";
import { read, untold } from "./queries.ts";
import type { Schema } from "./types.ts";

const path = "/v1/agents/{agent}/schedules";
const onePath = "/v1/agents/{agent}/schedules/{schedule}";

export type Schedule = Schema<"AgentSchedule">;
/** What a change makes stale. */
export const touched = [path] as const;
export type CreateSchedule = ChangeInput<"post", typeof path>["body"];
export type ChangeSchedule = ChangeInput<"patch", typeof onePath>["body"];

export const listSchedules = (agent: string) => untold(read(path, { path: { agent }, query: { limit: 100 } }));
export const createSchedule = ({ agent, body }: { agent: string; body: CreateSchedule }) =>
  send("post", path, { path: { agent }, body });
export const changeSchedule = ({ agent, schedule, body }: { agent: string; schedule: string; body: ChangeSchedule }) =>
  send("patch", onePath, { path: { agent, schedule }, body });
export const removeSchedule = ({ agent, schedule }: { agent: string; schedule: string }) =>
  send("delete", onePath, { path: { agent, schedule } });
