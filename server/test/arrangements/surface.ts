import { type Arrange, type Arrangements, askingTask, waitingTask } from "./arranged.ts";

// Tasks beyond dispatch: batches, changes, events, steps, results.

const ofTask: Arrange = async (app, environment) => ({ params: { task: await waitingTask(app, environment) } });

export const arrange: Arrangements = {
  "tasks.dispatchBatch": async () => ({
    params: {},
    body: {
      items: [
        { agent: "sales", task: "qualify_lead", lead_id: "ld_1001", require_approval: true },
        { agent: "sales", task: "qualify_lead", lead_id: "ld_1002", require_approval: true },
      ],
    },
  }),
  "tasks.changeTask": async (app, environment) => ({
    params: { task: await waitingTask(app, environment) },
    body: { priority: 5, labels: ["urgent"] },
  }),
  "tasks.retryTask": async (app, environment) => {
    const task = await waitingTask(app, environment);
    await app.call("POST", `/v1/tasks/${task}/cancel`, { environment, body: {} });
    return { params: { task }, body: { from: "start" } };
  },
  "tasks.giveInput": async (app, environment) => ({
    params: { task: await askingTask(app, environment) },
    body: { answer: "The plan for teams." },
  }),
  "tasks.listTaskEvents": ofTask,
  "tasks.listTaskSteps": ofTask,
  "tasks.readTaskResult": ofTask,
};
export const seenFromEverywhere: Readonly<Record<string, string>> = {};
