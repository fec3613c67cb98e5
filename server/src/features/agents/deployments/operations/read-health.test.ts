import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { deployedAgent } from "../../testing.ts";

const app = useSharedApp();

interface Check {
  readonly check: string;
  readonly subject: string | null;
  readonly state: string;
  readonly remedy: string | null;
}
async function health(agent: string) {
  const { body } = await app.call("GET", `/v1/agents/${agent}/health`);
  const find = (check: string, subject?: string) =>
    (body.checks as Check[]).find((one) => one.check === check && (subject === undefined || one.subject === subject));
  return { body, find };
}

it("says that the sample is ready once its gate is open and its documents are fresh", async () => {
  await app.verdict("open");
  const { body } = await health("sales");
  expect(body).toMatchObject({ ready: true, state: "ready", version: 1 });
  expect(new Set(body.checks.map(({ check }: Check) => check))).toEqual(
    new Set(["deployment", "gate", "holds", "model", "tools", "knowledge"]),
  );
});

it("names what is wrong with its remedy: no version, a pause, a spent budget", async () => {
  await deployedAgent(app, "health-idle", { versions: 1 });
  const idle = await health("health-idle");
  expect(idle.body).toMatchObject({ ready: false, state: "not_ready" });
  expect(idle.find("deployment")?.remedy).toContain("/v1/agents/health-idle/deployments");

  await app.call("POST", "/v1/agents/sales/pause", { body: { reason: "a look" } });
  expect((await health("sales")).find("holds")?.remedy).toContain("/v1/agents/sales/resume");
  await app.call("POST", "/v1/agents/sales/resume", { body: {} });

  const limits = [{ unit: "tasks", period: "day", hard: 0 }];
  await app.call("PUT", "/v1/governance/budgets/agent:sales", { body: { limits } });
  expect((await health("sales")).find("budgets", "agent:sales")?.state).toBe("failed");
});

it("goes by the last test of the connection that the model is called by", async () => {
  const connection = { name: "health-models", kind: "openai-compatible", base_url: "http://127.0.0.1:9/v1" };
  await app.call("POST", "/v1/admin/connections", { body: connection });
  const settings = { base_url: connection.base_url };
  const model = { provider: "openai-compatible", name: "small", connection: "health-models", settings };
  const skills = [{ name: "answer", input: { type: "object" } }];
  await app.call("POST", "/v1/agents", { body: { agent: "health-hosted", description: "", model, skills } });
  await app.call("POST", "/v1/agents/health-hosted/versions", { body: {} });
  expect((await app.call("POST", "/v1/agents/health-hosted/deployments", { body: { version: 1 } })).status).toBe(201);
  expect((await health("health-hosted")).find("model", "health-models")?.state).toBe("warning");
  const test = {
    connection: "health-models",
    ok: false,
    code: "provider_unreachable",
    detail: "",
    tested_at: "2026-11-23T09:00:00.000Z",
  };
  await app.pool.query("update connections set test = $1 where name = 'health-models'", [JSON.stringify(test)]);
  expect((await health("health-hosted")).find("model", "health-models")).toMatchObject({ state: "failed" });
});
