import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { approve, leaseOn } from "../../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { changeFacts } from "../../../tasks/runs/testing.ts";

const app = useApp();
const process = useWorkerProcess(app);
const environment = "staging";

const tool = (name: string, impact?: object) => ({
  name,
  kind: "http",
  effect: "write",
  request: { method: "POST", url: "http://127.0.0.1:9/none", body: { to: "{to}" } },
  arguments: { type: "object", required: ["to"], properties: { to: { type: "string" } }, additionalProperties: false },
  ...(impact ? { impact } : {}),
});

const check = async (body: object, key = "admin") => {
  const answered = await app.call("POST", "/v1/governance/check", {
    body,
    key: key === "admin" ? app.key("admin", environment) : key,
  });
  expect(answered.status, answered.text).toBe(200);
  return answered.body;
};
const call = (name: string, input: object = { to: "somebody" }) => ({
  action: "tool.call",
  agent: "sales",
  skill: "qualify_lead",
  tool: name,
  input,
});

/** What the call comes to when it is made, in a task that people approved; with the approval that it waits for. */
async function made(name: string, tainted: boolean) {
  const { task_id: task } = await app.dispatch({}, { environment });
  for (let person = 1; person <= 2; person++) await approve(app, task, environment); // critical: its worst tool counts
  const lease = leaseOn(app, task, environment);
  expect(await process.port.start(lease)).toMatchObject({ claimed: true });
  const { kind } = await process.port.callTool(lease, {
    number: 1,
    tool: name,
    arguments: { to: "somebody" },
    tainted,
  });
  const { rows } = await app.pool.query(
    "select a.approvers, a.requester_allowed, a.reasons::json as reasons, a.risk_level from tasks t join approvals a on a.id = t.approval_id where t.id = $1",
    [task],
  );
  return { kind, ...rows[0] };
}

describe("a step of a run that is proposed", () => {
  beforeAll(async () => {
    await app.deploy(environment);
    await app.verdict("open", environment);
    const tools = [tool("wire", { money: 100_000, reversible: false }), tool("note")];
    await changeFacts(
      app,
      process,
      "agents",
      `update agent_versions set definition = definition || jsonb_build_object('tools', (definition -> 'tools') || $1::jsonb, 'skills',
         jsonb_build_array((definition -> 'skills' -> 0) || '{"tools":["get_lead","wire","note"],"output":{"type":"object"}}')) where agent = 'sales'`,
      [JSON.stringify(tools)],
    );
  });

  it("is judged by the risk of the very call, and waits for the people for whom the call waits", async () => {
    const { kind, risk_level, ...asked } = await made("wire", false);
    expect(kind).toBe("waits");
    const body = await check(call("wire"));
    expect(body).toMatchObject({
      verdict: "require_approval",
      approval: asked,
      context: { risk: { level: risk_level } },
    });
    expect(body.explanation).toContain(asked.reasons.join(" "));
  });

  it("goes where its tool risks nothing, whatever its skill could do, and says what text that was read would change", async () => {
    expect((await made("note", false)).kind).toBe("begun");
    const { kind, reasons, risk_level } = await made("note", true);
    expect(kind).toBe("waits");
    const body = await check(call("note"));
    expect(body).toMatchObject({ verdict: "allow", approval: null, context: { risk: { level: risk_level } } });
    expect(body.explanation).toContain("In a run that has read text which could have steered it, it would wait for 1");
    expect(body.explanation).toContain(reasons[0]);
  });

  it("says nothing of steering where a policy accepts it, and nothing of it of a tool that reads", async () => {
    const read = await check(call("get_lead", { lead_id: "ld_1001" }));
    expect(read).toMatchObject({ verdict: "allow", explanation: "It would go on: no policy applies to it." });
    const definition = {
      when: "true",
      effect: "tag",
      params: { tags: ["taint:accepted"] },
      scope: { actions: ["tool.call"] },
    };
    const policy = await app.policy(definition, "active", environment);
    const accepted = await check(call("note"));
    expect(accepted).toMatchObject({ verdict: "allow", tags: ["taint:accepted"] });
    expect(accepted.explanation).not.toContain("steered");
    await changeFacts(app, process, "policies", "update policies set state = 'retired' where id = $1", [policy]);
  });

  it("is done by a worker, whose role and key no caller can lend it", async () => {
    const keyed = {
      when: 'has(key.id) || principal.role == "admin"',
      effect: "deny",
      scope: { actions: ["tool.call", "task.run", "key.issue"] },
    };
    const policy = await app.policy(keyed, "active", environment);
    expect((await made("note", false)).kind).toBe("begun");
    const body = await check(call("note"));
    expect(body).toMatchObject({
      verdict: "allow",
      context: { principal: { id: "system:worker", kind: "system", role: "none" } },
    });
    expect(body.context.key).toBeUndefined();
    expect((await check({ action: "key.issue" })).verdict).toBe("deny");
    const { status, body: refused } = await app.call("POST", "/v1/governance/check", {
      environment,
      key: app.key("admin", environment),
      body: { ...call("note"), as: { role: "operator" } },
    });
    expect([status, refused.errors]).toEqual([422, [expect.objectContaining({ pointer: "/as", code: "not_carried" })]]);
    await changeFacts(app, process, "policies", "update policies set state = 'retired' where id = $1", [policy]);
  });
});
