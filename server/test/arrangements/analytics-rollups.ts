import { exampleExperiment } from "../../src/features/analytics/quality/example.ts";
import { type Arrangements, nothing } from "./arranged.ts";

let canaries = 0;

export const arrange: Arrangements = {
  "analytics.queryFigures": async () => ({ params: {}, body: { measures: ["tasks"] } }),
  "analytics.readSchema": nothing,
  "analytics.rebuildFigures": async (app) => {
    await app.pool.query("delete from analytics_rebuilds");
    return { params: {}, body: {} };
  },
  "analytics.readRebuild": async (app, environment) => {
    await app.call("POST", "/v1/analytics/rebuild", { environment, body: {} });
    return { params: {} };
  },
  // Narrowed keys of the walk see the sample's agent.
  "analytics.readExperiment": async (app, environment) => {
    const deployment = `dep_01jd8x${String(++canaries).padStart(20, "0")}`;
    await app.pool.query(
      `insert into deployments (organization, environment, id, agent, version_number, state, mode, share, rule, stages, author)
       values ('default', $1, $2, 'sales', 1, 'ended', 'canary', 10, $3, '[{"share": 10, "since": ""}]', 'nobody')`,
      [environment, deployment, JSON.stringify(exampleExperiment.rule)],
    );
    return { params: { deployment } };
  },
};
