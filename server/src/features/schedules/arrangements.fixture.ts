import type { Arrangements } from "../../../test/arrangements/arranged.ts";
import type { Environment } from "../../kernel/principal.ts";
import type { TestApp } from "../../testing/app.ts";

const body = { task: "qualify_lead", input: { lead_id: "ld_1001" }, schedule: "0 7 * * MON-FRI" };

const schedule = async (app: TestApp, environment: Environment): Promise<{ agent: string; schedule: string }> => {
  const { status, text, body: made } = await app.call("POST", "/v1/agents/sales/schedules", { environment, body });
  if (status !== 201) throw new Error(`making a schedule answered ${status}: ${text}`);
  return { agent: "sales", schedule: made.schedule_id };
};

export const arrange: Arrangements = {
  "agents.listSchedules": async () => ({ params: { agent: "sales" } }),
  "agents.createSchedule": async () => ({ params: { agent: "sales" }, body }),
  "agents.changeSchedule": async (app, environment) => ({
    params: await schedule(app, environment),
    body: { paused: true },
  }),
  "agents.removeSchedule": async (app, environment) => ({ params: await schedule(app, environment), body: {} }),
};

/** Agents belong to the organization; their schedules to an environment. */
export const seenFromEverywhere = {
  "agents.listSchedules": "agents belong to the organization; its schedules elsewhere are not listed",
  "agents.createSchedule": "the agent is seen; that it is not deployed here is 409 agent_not_deployed",
};
