import { type Arrangements, ballot, waitingTask } from "../../../../test/arrangements/arranged.ts";
import type { Environment } from "../../../kernel/principal.ts";
import type { TestApp } from "../../../testing/app.ts";
import { endAt } from "../testing.ts";

const reason = "The customer calls back at noon.";
const waiting = async (app: TestApp, environment: Environment) => ({
  params: { approval: await waitingTask(app, environment) },
});
const withBody = (body: object) => async (app: TestApp, environment: Environment) => ({
  ...(await waiting(app, environment)),
  body,
});

export const arrange: Arrangements = {
  "approvals.claim": async (app, environment) => ({ params: (await ballot({})(app, environment)).params, body: {} }),
  "approvals.release": waiting,
  "approvals.extend": async (app, environment) => {
    const { params } = await waiting(app, environment);
    await endAt(app, params.approval, new Date(Date.now() + 3_600_000), "reject");
    return { params, body: { seconds: 60, reason } };
  },
  "approvals.withdraw": withBody({ reason }),
  "approvals.createComment": withBody({ text: "Is this one of yours?" }),
  "approvals.listComments": waiting,
  "approvals.readHistory": waiting,
  "approvals.readSimilar": waiting,
};
