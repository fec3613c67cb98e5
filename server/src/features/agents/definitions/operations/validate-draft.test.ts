import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

const app = useApp();
const validate = async (agent: string, key?: string) =>
  (await app.call("POST", `/v1/agents/${agent}/validate`, { body: {}, ...(key === undefined ? {} : { key }) })).body;

interface Named {
  readonly action: string;
  readonly tool: string | null;
}

const request = { method: "POST", url: "https://crm.example.com/notes" };
const draft = {
  description: "",
  model: { provider: "builtin" },
  knowledge: ["nowhere"],
  tools: [
    { name: "note", kind: "http", effect: "write", request, impact: { reversible: true } },
    { name: "spare", kind: "http", effect: "read", request: { method: "GET", url: "https://crm.example.com" } },
  ],
  skills: [{ name: "file", input: { type: "object" }, tools: ["note"], limits: { cost_usd: 0.5 } }],
};

it("says what is missing here, what policies would refuse, and what tasks may cost", async () => {
  await app.call("POST", "/v1/agents", { body: { agent: "filing", ...draft } });
  await app.policy({ scope: { actions: ["tool.call"] }, when: "true", effect: "deny", message: "No notes today." });
  const body = await validate("filing");
  expect(body.valid).toBe(false);
  const findings = body.findings.map(({ severity, code, pointer }: Record<string, string>) => [
    severity,
    code,
    pointer,
  ]);
  expect(findings).toEqual([
    ["error", "unknown_base", "/knowledge/0"],
    ["info", "unused_tool", "/tools/1"],
    ["warning", "denied_by_policy", "/skills/0"],
  ]);
  const call = body.verdicts.find(({ tool }: Named) => tool === "note");
  expect(call).toMatchObject({ verdict: "deny", reasons: ["No notes today."], policies: [{ effect: "deny" }] });
  expect(body.costs).toEqual([expect.objectContaining({ skill: "file", basis: "limits", low: 0, high: 0.5 })]);
});

it("leaves out the policies for a key that may not read them, and says what depends on the input", async () => {
  const scope = { actions: ["task.dispatch"], agents: ["sales"] };
  await app.policy({
    scope,
    effect: "deny",
    when: 'has(input.lead_id) && input.lead_id == "ld_9"',
    message: "Not this lead.",
  });
  const body = await validate("sales");
  expect(body.valid).toBe(true);
  expect(body.verdicts.find(({ action }: Named) => action === "task.dispatch")).toMatchObject({
    verdict: "depends_on_input",
    policies: [{ outcome: "depends_on_input" }],
  });
  const issued = await app.call("POST", "/v1/admin/keys", {
    body: { name: "few", role: "viewer", scopes: ["agents:read"] },
  });
  const narrow = await validate("sales", issued.body.key);
  expect(narrow.verdicts.flatMap(({ policies }: { policies: unknown[] }) => policies)).toEqual([]);
});

it("estimates the cost of a task from past ones, with an interval", async () => {
  const { task_id } = await app.dispatch();
  const { task_id: other } = await app.dispatch();
  await app.pool.query("update tasks set status = 'completed', cost_usd = 0.02 where id = $1", [task_id]);
  await app.pool.query("update tasks set status = 'completed', cost_usd = 0.04 where id = $1", [other]);
  await app.pool.query("update tasks set ran_ms = 1000, claimed_at = now() - interval '2 s', finished_at = now()");
  const { costs } = await validate("sales");
  const cost = costs.find(({ skill }: { skill: string }) => skill === "qualify_lead");
  expect(cost).toMatchObject({ basis: "past_tasks", tasks: 2, mean_usd: 0.03, low: 0, mean_seconds: 3 });
  expect(cost.high).toBeGreaterThan(0.1);
});
