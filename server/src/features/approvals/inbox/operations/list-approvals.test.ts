import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { ask, demand, narrowedKey, serviceAccount } from "../../testing.ts";

describe("listing approvals", () => {
  const app = useApp();
  const list = async (query = "", key = "admin", environment?: "staging") =>
    app.call("GET", `/v1/approvals${query}`, { key, ...(environment && { environment }) });
  const tasksOf = (body: { data: { task_id: string }[] }): string[] => body.data.map(({ task_id }) => task_id);
  const tasks: Record<"low" | "critical" | "approved" | "foursEyes" | "voted", string> = {
    low: "",
    critical: "",
    approved: "",
    foursEyes: "",
    voted: "",
  };
  let voter = "";

  beforeAll(async () => {
    for (const name of Object.keys(tasks) as (keyof typeof tasks)[]) tasks[name] = await ask(app);
    await demand(app, tasks.low, { risk_level: "low" });
    await demand(app, tasks.critical, { risk_level: "critical" });
    await demand(app, tasks.foursEyes, { requester_allowed: false });
    await demand(app, tasks.voted, { approvers: 2 });
    voter = (await app.member("approver")).secret;
    await app.call("POST", `/v1/approvals/${tasks.voted}/approve`, { key: voter, body: {} });
    await app.call("POST", `/v1/approvals/${tasks.approved}/approve`, { body: {} });
  });

  it("shows what is pending, newest first, with counts by risk", async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(tasksOf(body)).toEqual([tasks.voted, tasks.foursEyes, tasks.critical, tasks.low]);
    expect(body).toMatchObject({
      has_more: false,
      next_cursor: null,
      counts: { low: 1, medium: 2, high: 0, critical: 1, total: 4, mine: null },
    });
    expect(body.data[0]).toMatchObject({
      status: "pending",
      agent: "sales",
      skill: "qualify_lead",
      approvals: 1,
      approvers: 2,
      requester: { name: "Test admin" },
    });
  });

  it("filters by state, risk and agent, and counts what is pending whatever the filter", async () => {
    expect(tasksOf((await list("?status=approved")).body)).toEqual([tasks.approved]);
    expect(tasksOf((await list("?status=approved,pending&risk=critical,low")).body)).toEqual([
      tasks.critical,
      tasks.low,
    ]);
    const { body } = await list("?agent=support");
    expect(body).toMatchObject({ data: [], counts: { total: 4 } });
  });

  it("shows as mine what the caller may decide now", async () => {
    expect(tasksOf((await list("?mine=true")).body)).toEqual([tasks.voted, tasks.critical, tasks.low]);
    expect(tasksOf((await list("?mine=true", voter)).body)).toEqual([tasks.foursEyes, tasks.critical, tasks.low]);
    expect(tasksOf((await list("?mine=true&status=approved")).body)).toEqual([]);
    for (const { task_id } of (await list("?mine=true", voter)).body.data) {
      expect((await app.call("GET", `/v1/approvals/${task_id}`, { key: voter })).body.may_decide.allowed).toBe(true);
    }
  });

  it("shows nothing as mine to who cannot decide", async () => {
    for (const key of [
      "viewer",
      await serviceAccount(app, "admin"),
      await narrowedKey(app, { scopes: ["approvals:read"] }),
    ]) {
      expect((await list("?mine=true", key)).body.data).toEqual([]);
    }
  });

  it("pages without loss while new ones come in", async () => {
    const first = (await list("?limit=2")).body;
    const added = await ask(app);
    const second = (await list(`?limit=2&cursor=${first.next_cursor}`)).body;
    expect([...tasksOf(first), ...tasksOf(second)]).toEqual([tasks.voted, tasks.foursEyes, tasks.critical, tasks.low]);
    expect(second.has_more).toBe(false);
    await app.call("POST", `/v1/tasks/${added}/cancel`, { body: {} });
  });

  it("shows a key only the agents and the environment that it has", async () => {
    expect((await list("", await narrowedKey(app, { agents: ["support"] }))).body).toMatchObject({
      data: [],
      counts: { total: 0 },
    });
    expect((await list("", "admin", "staging")).body).toMatchObject({ data: [], counts: { total: 0 } });
  });
});
