import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { deployedAgent } from "../../testing.ts";

const app = useSharedApp();
const agent = "needed";
const read = (key?: string) => app.call("GET", `/v1/agents/${agent}/dependents`, key === undefined ? {} : { key });
const steps = [{ id: "ask", kind: "agent", agent, skill: "answer", input: { question: "'when?'" } }];
const archive = (body: object = {}) =>
  app.call("DELETE", `/v1/agents/${agent}`, { body: { reason: "not needed", ...body } });

it("lists workflows, missions, channels, monitors and schedules that use the agent, and who is narrowed sees only what it may read", async () => {
  await deployedAgent(app, agent, { versions: 1, deploy: [1] });
  const { rows } = await app.pool.query("select organization from organizations");
  const [{ organization }] = rows;
  const draft = JSON.stringify({ name: "uses_it", steps });
  await app.pool.query(
    "insert into workflows (organization, name, owner, draft, agents, created_at, updated_at, updated_by) values ($1, 'uses_it', 'test', $2, $3, now(), now(), 'test')",
    [organization, draft, [agent, "sales"]],
  );
  await app.pool.query(
    `insert into missions (organization, environment, id, goal, measure, agents, budget_usd, budget_tasks, autonomy, status, created_by, created_at, updated_at)
     values ($1, 'development', 'msn_01jd8x0000000000000000000a', 'Sell more', '{}', $2, 1, 1, 'propose', 'running', 'test', now(), now())`,
    [organization, [agent]],
  );
  await app.pool.query(
    `insert into chat_channels (organization, environment, name, kind, agent, config, created_by, created_at, updated_at)
     values ($1, 'development', 'help', 'web', $2, '{}', 'test', now(), now())`,
    [organization, agent],
  );
  await app.call("POST", "/v1/evaluations/monitors", { body: { agent, share: 0.1, double_review_share: 0 } });
  const schedule = { task: "answer", input: { question: "when?" }, schedule: "0 9 * * *" };
  await app.call("POST", `/v1/agents/${agent}/schedules`, { body: schedule });
  const { status, body } = await read();
  expect([status, body.active, body.unseen]).toEqual([200, 2, []]);
  const shown = body.dependents.map(({ kind, name, state }: Record<string, string>) => [kind, name, state]);
  expect(shown).toEqual([
    ["workflow", "uses_it", "draft"],
    ["mission", "Sell more", "running"],
    ["channel", "help", "enabled"],
    ["monitor", "10 % of all skills", "drawing"],
    ["schedule", "answer at 0 9 * * *", "active"],
  ]);
  const issued = await app.call("POST", "/v1/admin/keys", {
    body: {
      name: "narrow",
      role: "viewer",
      agents: [agent],
      scopes: ["agents:read", "workflows:read", "missions:read"],
    },
  });
  const narrow = await read(issued.body.key);
  expect(narrow.body.unseen).toEqual(["channel", "monitor"]);
  expect(narrow.body.dependents.map(({ kind }: { kind: string }) => kind)).toEqual(["mission", "schedule"]);
});

it("keeps an agent that is in use from being archived with agent_in_use, unless it is forced", async () => {
  const { body } = await archive();
  expect(body).toMatchObject({ status: 409, code: "agent_in_use" });
  expect(body.detail).toContain("the mission Sell more, the channel help");
  expect((await archive({ force: true })).body.status).toBe("archived");
});
