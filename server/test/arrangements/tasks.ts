import { type Arrange, type Arrangements, askingTask, nothing, waitingTask } from "./arranged.ts";

const ofTask: Arrange = async (app, environment) => ({ params: { task: await waitingTask(app, environment) } });
const ofBatch: Arrange = async (app, environment) => {
  const item = { agent: "sales", task: "qualify_lead", lead_id: "ld_1001", require_approval: true };
  const { body } = await app.call("POST", "/v1/tasks/batch", { environment, body: { items: [item] } });
  return { params: { batch: body.batch_id } };
};

export const arrange: Arrangements = {
  "tasks.listTasks": nothing,
  "tasks.readTask": async (app, environment) => ({ params: { task: await waitingTask(app, environment) } }),
  "tasks.cancelTask": async (app, environment) => ({
    params: { task: await waitingTask(app, environment) },
    body: { reason: "asked for by mistake" },
  }),
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
  "tasks.pauseTask": async (app, environment) => ({
    params: { task: await waitingTask(app, environment) },
    body: { reason: "Not before Monday." },
  }),
  "tasks.resumeTask": async (app, environment) => {
    const task = await waitingTask(app, environment);
    await app.call("POST", `/v1/tasks/${task}/pause`, { environment, body: {} });
    return { params: { task }, body: {} };
  },
  "tasks.submitInput": async (app, environment) => ({
    params: { task: await askingTask(app, environment) },
    body: { answer: "The plan for teams." },
  }),
  "tasks.listTaskEvents": ofTask,
  "tasks.listTaskSteps": ofTask,
  "tasks.readTaskResult": ofTask,
  "tasks.submitFeedback": async (app, environment) => {
    const task = await waitingTask(app, environment);
    await app.pool.query(
      `update tasks set status = 'completed', output = '{"qualified":true}', started_at = now(), finished_at = now() where id = $1`,
      [task],
    );
    return { params: { task }, body: { accepted: true, rating: 5, comment: "Arranged." } };
  },
  "tasks.listFeedback": async (app, environment) => ({ params: { task: await waitingTask(app, environment) } }),
  "tasks.readTaskTrust": ofTask,
  "tasks.readTaskChildren": ofTask,
  "tasks.readTaskCost": ofTask,
  "tasks.readTaskTrace": ofTask,
  "tasks.readBatch": ofBatch,
  "tasks.cancelBatch": async (app, environment) => ({
    ...(await ofBatch(app, environment)),
    body: {},
    batch: { calls: 1, notes: 0 },
  }),
  "tasks.cancelTasks": async (app, environment) => {
    await app.dispatch({ labels: ["arranged"] }, { environment });
    return { params: {}, body: { filter: { label: "arranged" } }, batch: { calls: 0, notes: 0 } };
  },
  "tasks.estimateTask": async () => ({
    params: {},
    body: { agent: "sales", task: "qualify_lead", lead_id: "ld_1001", require_approval: true },
    batch: { calls: 1, notes: 0 },
  }),
};
