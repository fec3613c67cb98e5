import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { deployedAgent } from "../../testing.ts";

const app = useSharedApp();

it("pages through an agent's deployments, newest first, and narrows them by state", async () => {
  await deployedAgent(app, "paged", { versions: 3, deploy: [1, 2, 3, 1] });
  const first = await app.call("GET", "/v1/agents/paged/deployments?limit=3");
  expect(first.body.data.map((d: { version: number }) => d.version)).toEqual([1, 3, 2]);
  const next = await app.call("GET", `/v1/agents/paged/deployments?limit=3&cursor=${first.body.next_cursor}`);
  expect([next.body.data.map((d: { version: number }) => d.version), next.body.has_more]).toEqual([[1], false]);
  const live = await app.call("GET", "/v1/agents/paged/deployments?state=live");
  expect(live.body.data).toHaveLength(1);
});

it("shows only what runs in the environment of the key", async () => {
  await deployedAgent(app, "here", { versions: 1, deploy: [1] });
  expect((await app.call("GET", "/v1/agents/here/deployments", { environment: "staging" })).body.data).toEqual([]);
});
