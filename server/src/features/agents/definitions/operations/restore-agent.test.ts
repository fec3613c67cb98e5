import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { deployedAgent } from "../../testing.ts";

const app = useSharedApp();
const post = (path: string, body: object = {}) => app.call("POST", `/v1/agents/${path}`, { body });

it("brings an archived agent back as a draft that can be deployed and takes work", async () => {
  await deployedAgent(app, "restored", { versions: 1, deploy: [1] });
  await app.call("DELETE", "/v1/agents/restored", { body: { reason: "no longer needed" } });
  const { status, body } = await post("restored/restore");
  expect([status, body.status, body.paused]).toEqual([200, "draft", null]);
  expect((await post("restored/deployments", { version: 1 })).status).toBe(201);
  expect((await post("restored/tasks", { task: "answer", question: "when?" })).status).toBe(202);
});

it("keeps a pause that archiving did not set", async () => {
  await deployedAgent(app, "restored-held", { versions: 1, deploy: [1] });
  await app.call("DELETE", "/v1/agents/restored-held", { body: { reason: "no longer needed" } });
  const other = { environment: "staging" as const };
  await app.call("POST", "/v1/agents/restored-held/pause", { ...other, body: { reason: "staging is down" } });
  await post("restored-held/restore");
  const { body } = await app.call("GET", "/v1/agents/restored-held", other);
  expect(body.paused).toMatchObject({ reason: "staging is down" });
});

it("is refused with agent_not_archived otherwise", async () => {
  expect((await post("sales/restore")).body).toMatchObject({ status: 409, code: "agent_not_archived" });
});
