import { expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { createdWorkflow, publish, redraft } from "./testing.ts";

const app = useSharedApp();

it("shows a workflow that the service made for itself to who knows its name, lists it nowhere, and lets nobody change it", async () => {
  const workflow = await createdWorkflow(app);
  await app.pool.query("update workflows set hidden = true where name = $1", [workflow]);
  expect((await app.call("GET", `/v1/workflows/${workflow}`)).status).toBe(200);
  const { data } = (await app.call("GET", "/v1/workflows?limit=100")).body;
  expect(data.map(({ name }: { name: string }) => name)).not.toContain(workflow);
  const path = `/v1/workflows/${workflow}`;
  const tried = await Promise.all([
    publish(app, workflow),
    redraft(app, workflow, { steps: [] }),
    app.call("DELETE", path, { body: { reason: "Over." } }),
    ...["pause", "rollback"].map((verb) => app.call("POST", `${path}/${verb}`, { body: { reason: "No." } })),
    app.call("POST", `${path}/resume`, { body: {} }),
  ]);
  expect(tried.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
});
