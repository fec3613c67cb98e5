import type { Step } from "@aos/workflow";
import { beforeAll, expect, it } from "vitest";
import { alertSweep } from "../../src/features/analytics/alerts/sweep.ts";
import { rollUp } from "../../src/features/analytics/rollups/testing.ts";
import { asking } from "../../src/features/workflows/steps/steps.fixture.ts";
import {
  approveBy,
  castIn,
  forgetDeciders,
  must,
  openGate,
  payingAgent,
  strictEnvironments,
} from "../../src/testing/actors.ts";
import { useApp } from "../../src/testing/app.ts";
import { scriptedModel } from "../../src/testing/models.ts";
import { eventually } from "../../src/testing/tasks.ts";
import { useWorkerProcess } from "../../src/testing/worker.ts";
import { asked, botKey, forgetWorkflow, hear, payingWorkflow } from "./triggers.fixture.ts";

// Ways by which one person alone might have decided a write and approved it: decision 0064.

const app = useApp({ role: "api" });
const process = useWorkerProcess(app);
const account = "DE44500105175407324931";

beforeAll(async () => {
  // Pays what it remembers.
  const model = scriptedModel((_turn, { prompt }) => {
    const said = JSON.stringify(prompt);
    const [to] = /(?<=remembered as )DE\d{20}/.exec(said) ?? [];
    const pays = said.includes("Pay it") && prompt.every(({ role }) => role !== "tool");
    return pays && to !== undefined ? { calls: [{ tool: "pay", input: { to } }] } : { text: "Fine." };
  });
  await process.worker({ model });
});

let made = 0;

it.each(strictEnvironments)("whoever set an alert does not approve what its event starts, in %s", async (at) => {
  const cast = await castIn(app, at);
  const agent = await payingAgent(app, cast);
  const { alice, bob, carol } = cast;
  const triggers = [{ event: "analytics.alert.fired", map: { amount: "event.condition.threshold" } }];
  const workflow = await payingWorkflow(app, carol, { agent, triggers });
  await forgetWorkflow(app, workflow);
  const condition = { kind: "below", threshold: 98_765 };
  await must(app, 201, alice, "POST", "/v1/analytics/alerts", { name: "Few", measure: "tasks", condition });
  await app.pool.query("update analytics_alerts set due_at = now(), state = 'ok'");
  await rollUp(app.pool);
  await process.sweeperWith([alertSweep]).sweep();
  await hear(app, process);
  const task = await asked(app, workflow);
  expect(await approveBy(app, alice, task)).toBe("four_eyes");
  expect(await approveBy(app, bob, task)).toBe("approved");
});

it.each(strictEnvironments)(
  "whoever issued the key by which a user's memory was written does not approve what takes a text of it, in %s",
  async (at) => {
    const cast = await castIn(app, at);
    const { alice, bob, carol } = cast;
    const agent = await payingAgent(app, cast);
    const model = JSON.stringify({ model: { provider: "openai", name: "scripted" } });
    await app.pool.query("update agent_versions set definition = definition || $2 where agent = $1", [agent, model]);
    await forgetDeciders(app, agent);
    await process.refresh();
    const user = `customer-${++made}`;
    const bot = await botKey(app, alice, "admin");
    await must(app, 201, bot, "POST", "/v1/chat/memories", { user, text: `The account is remembered as ${account}.` });
    const { conversation_id: id } = await must(app, 201, bob, "POST", "/v1/chat/conversations", { agent, user });
    const { task_id } = await must(app, 202, bob, "POST", `/v1/chat/conversations/${id}/messages`, { text: "Pay it." });
    await eventually(async () => {
      const { rows } = await app.pool.query("select status from tasks where id = $1", [task_id]);
      expect(rows[0].status).toBe("awaiting_approval");
    });
    expect(await approveBy(app, alice, task_id)).not.toBe("approved");
    expect(await approveBy(app, carol, task_id)).toBe("approved");
  },
);

it.each(strictEnvironments)(
  "whoever wrote a record does not approve the call of a later step that takes a field of it, in %s",
  async (at) => {
    const cast = await castIn(app, at);
    const { alice, bob, carol } = cast;
    const [agent, base] = [`chained-${++made}`, `chained-${made}`];
    await must(app, 201, carol, "POST", "/v1/knowledge/bases", { name: base });
    const impact = { reversible: true, external: true, money: 50 };
    const request = { method: "POST", url: "https://pay.example.com/pay" };
    const record = { kind: "record", name: "get_supplier", base, effect: "read" };
    const pay = { kind: "http", name: "pay", effect: "write", impact, arguments: { type: "object" }, request };
    await must(app, 201, carol, "POST", "/v1/agents", {
      agent,
      description: "Pays suppliers.",
      model: { provider: "builtin" },
      knowledge: [base],
      tools: [record, pay],
      skills: [{ name: "settle", input: { type: "object" }, tools: ["get_supplier"] }],
    });
    await must(app, 201, carol, "POST", `/v1/agents/${agent}/versions`, {});
    await openGate(app, agent, at);
    await must(app, 201, carol, "POST", `/v1/agents/${agent}/deployments`, { version: 1 });
    await forgetDeciders(app, agent);
    await process.refresh();
    const fields = { name: "Amber", iban: account };
    await must(app, 202, alice, "POST", `/v1/knowledge/bases/${base}/documents`, { external_id: "S-1", fields });
    const look: Step = { id: "look", tool: { agent, name: "get_supplier", arguments: { supplier_id: "'S-1'" } } };
    const last: Step = { id: "pay", tool: { agent, name: "pay", arguments: { to: "steps.look.output.fields.iban" } } };
    const workflow = `chained_${made}`;
    await must(app, 201, carol, "POST", "/v1/workflows", { workflow, steps: [look, last] });
    await must(app, 200, carol, "POST", `/v1/workflows/${workflow}/publish`, {});
    await forgetWorkflow(app, workflow);
    const { run_id } = await must(app, 202, bob, "POST", `/v1/workflows/${workflow}/runs`, {});
    const task = await asking(app, run_id, "pay");
    expect(await approveBy(app, alice, task)).toBe("four_eyes");
    expect(await approveBy(app, carol, task)).toBe("approved");
  },
);

it.each(strictEnvironments)(
  "whoever decided an agent does not approve what a copy of it does because somebody looked in development, in %s",
  async (at) => {
    const cast = await castIn(app, at);
    const { alice, bob, carol } = cast;
    const agent = await payingAgent(app, cast);
    const change = { key: alice.secret, body: { instructions: "Pay 240." }, headers: { "if-match": "*" } };
    expect((await app.call("PATCH", `/v1/agents/${agent}`, change)).status).toBe(200);
    await must(app, 201, alice, "POST", `/v1/agents/${agent}/versions`, {});
    const dev = await app.signedInMember("admin", "development");
    await openGate(app, agent, "development");
    await must(app, 201, dev, "POST", `/v1/agents/${agent}/deployments`, { version: 2 });
    const copy = `${agent}-copy`;
    await must(app, 201, dev, "POST", `/v1/agents/${agent}/clone`, { name: copy, version: 2 });
    await must(app, 201, dev, "POST", `/v1/agents/${copy}/versions`, {});
    await openGate(app, copy, at);
    await must(app, 201, alice, "POST", `/v1/agents/${copy}/deployments`, { version: 1 });
    const { task_id } = await must(app, 202, bob, "POST", `/v1/agents/${copy}/tasks`, { task: "settle", amount: 240 });
    expect(await approveBy(app, alice, task_id)).toBe("four_eyes");
    expect(await approveBy(app, carol, task_id)).toBe("approved");
  },
);

it.each(strictEnvironments)(
  "whoever approved a task does not send it elsewhere by replacing its connection, in %s",
  async (environment) => {
    const cast = await castIn(app, environment);
    const connection = {
      name: "bank",
      kind: "http",
      secret: "a-secret-of-the-bank",
      base_url: "https://pay.example.com",
    };
    await must(app, 201, cast.carol, "POST", "/v1/admin/connections", connection);
    const agent = await payingAgent(app, cast, "https://pay.example.com/pay", "bank");
    const options = { not_before: new Date(Date.now() + 3_000).toISOString() };
    const body = { task: "settle", input: { amount: 240 }, options };
    const { task_id } = await must(app, 202, cast.bob, "POST", `/v1/agents/${agent}/tasks`, body);
    const first = (await must(app, 200, cast.alice, "GET", `/v1/approvals/${task_id}`)).approval_id;
    expect(await approveBy(app, cast.alice, task_id)).toBe("approved");
    const elsewhere = { ...connection, base_url: "https://elsewhere.example.com", replace: true };
    await must(app, 201, cast.alice, "POST", "/v1/admin/connections", elsewhere);
    await process.refresh();
    await eventually(async () => {
      const { approval_id, status } = await must(app, 200, cast.bob, "GET", `/v1/approvals/${task_id}`);
      expect(status).toBe("pending");
      expect(approval_id).not.toBe(first);
    });
    expect(await approveBy(app, cast.alice, task_id)).toBe("four_eyes");
  },
);
