import { systemClock } from "../../src/kernel/clock.ts";
import { createIds } from "../../src/kernel/ids.ts";
import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import { sealEnded } from "../../src/testing/tasks.ts";
import { type Arrange, type Arrangements, nothing, waitingTask } from "./arranged.ts";

let made = 0;

const items = [{ input: { lead_id: "ld_1001" }, expected: { team: "midmarket" } }];
const scorer = {
  kind: "exact",
  pointer: "/team",
  samples: [{ output: { team: "enterprise" }, expected: { team: "enterprise" }, score: 1 }],
};

const call = async (
  app: TestApp,
  environment: Environment,
  method: string,
  path: string,
  body: object,
  headers = {},
) => {
  const answered = await app.call(method, path, { environment, body, headers });
  if (answered.status >= 300) throw new Error(`${method} ${path} answered ${answered.status}: ${answered.text}`);
  return answered;
};

/** A new dataset of the sample's agent; answers its id. */
const newSet = async (app: TestApp, environment: Environment): Promise<string> => {
  const body = { name: `arranged-${++made}`, agent: "sales", skill: "route_lead", items };
  return (await call(app, environment, "POST", "/v1/evaluations/datasets", body)).body.dataset_id;
};

const run = async (app: TestApp, environment: Environment) => {
  const dataset = await newSet(app, environment);
  await call(app, environment, "PUT", "/v1/evaluations/scorers/arranged", scorer);
  return { dataset, version: 1, scorers: ["arranged"] };
};

/** A new monitor of the sample's agent, by its id; there is one at most. */
const newMonitor = async (app: TestApp, environment: Environment): Promise<string> => {
  await app.pool.query("delete from review_monitors");
  return (await call(app, environment, "POST", "/v1/evaluations/monitors", { agent: "sales" })).body.monitor_id;
};

/** A deployment in shadow, of which nothing but its row exists. */
const shadow: Arrange = async (app, environment) => {
  const deployment = createIds(systemClock)("dep");
  await app.pool.query("update deployments set state = 'ended' where state = 'shadow'");
  await app.pool.query(
    `insert into deployments (organization, environment, id, agent, version_number, state, mode, share, rule, author)
     values ('default', $1, $2, 'sales', 1, 'shadow', 'shadow', 100, '{}', 'nobody')`,
    [environment, deployment],
  );
  return { params: { deployment } };
};

export const arrange: Arrangements = {
  "evaluations.listShadowRuns": shadow,
  "evaluations.readShadow": shadow,
  "evaluations.listDatasets": nothing,
  "evaluations.createDataset": async () => ({
    params: {},
    body: { name: `created-${++made}`, agent: "sales", skill: "route_lead", items },
  }),
  "evaluations.addItems": async (app, environment) => ({
    params: { dataset: await newSet(app, environment) },
    body: { items },
  }),
  "evaluations.listScorers": nothing,
  "evaluations.readScorer": async (app, environment) => {
    await call(app, environment, "PUT", "/v1/evaluations/scorers/arranged", scorer);
    return { params: { scorer: "arranged" } };
  },
  "evaluations.setScorer": async () => ({ params: { scorer: `set-${++made}` }, body: scorer }),
  "evaluations.listRuns": nothing,
  "evaluations.startRun": async (app, environment) => ({ params: {}, body: await run(app, environment) }),
  "evaluations.readRun": async (app, environment) => {
    const started = await call(app, environment, "POST", "/v1/evaluations/runs", await run(app, environment));
    return { params: { run: started.body.run_id } };
  },
  "evaluations.readGate": async () => ({ params: { agent: "sales" } }),
  "evaluations.setGate": async (app, environment) => {
    const { dataset } = await run(app, environment);
    const agent = "sales";
    const shown = await app.call("GET", `/v1/evaluations/gates/${agent}`, { environment });
    const body = { datasets: [dataset], scorers: [{ scorer: "arranged" }] };
    return { params: { agent }, body, headers: { "if-match": shown.headers.get("etag") as string } };
  },
  "evaluations.listMonitors": nothing,
  "evaluations.createMonitor": async (app) => {
    await app.pool.query("delete from review_monitors");
    return { params: {}, body: { agent: "sales" } };
  },
  "evaluations.removeMonitor": async (app, environment) => ({
    params: { monitor: await newMonitor(app, environment) },
  }),
  "evaluations.listReviews": nothing,
  "evaluations.submitReview": async (app, environment) => {
    const monitor = await newMonitor(app, environment);
    const task = await waitingTask(app, environment);
    await app.pool.query(
      `update tasks set status = 'completed', output = '{"qualified":true}', started_at = now(), finished_at = now() where id = $1`,
      [task],
    );
    await sealEnded(app);
    const review = createIds(systemClock)("rev");
    await app.pool.query(
      `insert into task_reviews (organization, environment, id, monitor_id, task_id, agent, skill, verdicts_required)
       values ('default', $1, $2, $3, $4, 'sales', 'qualify_lead', 1)`,
      [environment, review, monitor, task],
    );
    return { params: { review }, body: { accepted: true } };
  },
};

const shared = "datasets belong to the organization";
export const seenFromEverywhere: Readonly<Record<string, string>> = {
  "evaluations.addItems": shared,
  "evaluations.readScorer": "scorers belong to the organization",
  "evaluations.readGate": "agents belong to the organization; the gate is that of the caller's environment",
  "evaluations.setGate": "agents belong to the organization; the gate is that of the caller's environment",
};
