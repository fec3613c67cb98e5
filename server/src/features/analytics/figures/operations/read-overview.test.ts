import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { runningCanary } from "../../../agents/deployments/canaries/canaries.fixture.ts";

const app = useApp();

it("shows a key only those parts that it may read, and says which permission the others take", async () => {
  await runningCanary(app, "watched");
  await app.dispatch();
  const read = async (scopes: string[]) => {
    const body = { name: "narrow", role: "viewer", scopes };
    const { key } = (await app.call("POST", "/v1/admin/keys", { body })).body;
    return (await app.call("GET", "/v1/analytics/overview", { key })).body;
  };
  const every = await read(["analytics:read", "approvals:read", "tasks:read", "agents:read"]);
  expect(every).toMatchObject({ now: { approvals: 1, queued: 0 }, canaries: [{ agent: "watched" }], withheld: [] });
  const few = await read(["analytics:read", "tasks:read"]);
  expect(few.now).toMatchObject({ approvals: null, oldest_approval_at: null, queued: 0 });
  expect(few.canaries).toBeNull();
  expect(few.withheld).toEqual([
    { part: "now.approvals", permission: "approvals:read" },
    { part: "canaries", permission: "agents:read" },
  ]);
  expect((await read(["analytics:read"])).now).toMatchObject({ running: null, queued: null, questions: null });
});
