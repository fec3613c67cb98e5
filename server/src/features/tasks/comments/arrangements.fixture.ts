import { type Arrangements, waitingTask } from "../../../../test/arrangements/arranged.ts";

export const arrange: Arrangements = {
  "tasks.addComment": async (app, environment) => ({
    params: { task: await waitingTask(app, environment) },
    body: { text: "The customer called." },
  }),
  "tasks.listComments": async (app, environment) => ({ params: { task: await waitingTask(app, environment) } }),
};
