import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { createdWorkflow, publish, qualify, redraft } from "../../definitions/testing.ts";

const app = useSharedApp();
const back = (workflow: string, to?: number) =>
  app.call("POST", `/v1/workflows/${workflow}/rollback`, { body: { reason: "Went wrong.", ...(to && { to }) } });

async function published(versions: number): Promise<string> {
  const workflow = await createdWorkflow(app);
  for (let n = 1; n <= versions; n++) {
    await redraft(app, workflow, { steps: [qualify(`step_${n}`)] });
    await publish(app, workflow);
  }
  return workflow;
}

describe("rolling a workflow back", () => {
  it("goes back one version at a time, and to one that is named", async () => {
    const workflow = await published(3);
    expect((await back(workflow)).body).toMatchObject({ number: 2, kind: "rollback", live: true, previous_version: 3 });
    expect((await back(workflow)).body).toMatchObject({ number: 1, previous_version: 2 });
    expect((await back(workflow)).body.code).toBe("no_earlier_version");
    expect((await back(workflow, 3)).body).toMatchObject({ number: 3, previous_version: 1 });
    const { body } = await app.call("GET", `/v1/workflows/${workflow}`);
    expect(body).toMatchObject({ live_version: 3, latest_version: 3 });
  });

  it("is refused to a version that was never live here, where none is live, and after archiving", async () => {
    const workflow = await published(1);
    expect((await back(workflow, 7)).body.detail).toContain("has never been live in development");
    expect((await back(await createdWorkflow(app))).body.detail).toContain("No version");
    await app.call("DELETE", `/v1/workflows/${workflow}`, { body: { reason: "Over." } });
    expect((await back(workflow)).body.code).toBe("workflow_archived");
  });

  it("trigger_not_possible: neither is a version published nor gone back to whose trigger's account is not there", async () => {
    const key = { name: "k", role: "operator", for: { service_account: "night" } };
    await app.call("POST", "/v1/admin/keys", { body: key });
    const triggers = [{ schedule: "0 7 * * *", as: "night" }];
    const workflow = await createdWorkflow(app, { triggers });
    expect((await publish(app, workflow)).status).toBe(200);
    await redraft(app, workflow, { steps: [qualify("again")] });
    await publish(app, workflow);
    const [account] = (await app.pool.query("select id from members where name = 'night'")).rows;
    await app.call("PUT", `/v1/admin/members/${account.id}`, { body: { role: null } });
    expect((await back(workflow)).body.code).toBe("trigger_not_possible");
    await redraft(app, workflow, { steps: [qualify("thrice")], triggers });
    expect((await publish(app, workflow)).body.code).toBe("trigger_not_possible");
  });
});
