import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { approve } from "../../../../testing/tasks.ts";

let ahead = 0;
const app = useApp({ clock: { now: () => Date.now() + ahead } });
const path = "/v1/agents/sales/tasks";
const given = { task: "qualify_lead", lead_id: "ld_1001" };
const dispatch = (body: Record<string, unknown>) => app.call("POST", path, { body: { ...given, ...body } });

describe("dispatching a task", () => {
  it("assesses the same risk whether or not the caller asks for approval: nobody has looked yet", async () => {
    const risks = [];
    for (const require_approval of [true, false]) {
      const { task_id } = await app.dispatch({ require_approval });
      risks.push((await app.call("GET", `/v1/tasks/${task_id}`)).body.risk);
    }
    expect(risks[0]).toEqual(risks[1]);
    expect(risks[0].inputs.unattended).toBe(true);
  });

  it("refuses a deadline that has passed, and names the field", async () => {
    const { status, body } = await dispatch({ deadline: new Date(Date.now() - 1000).toISOString() });
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      { pointer: "/deadline", code: "past", detail: expect.stringContaining("give a time to come") },
    ]);
  });

  it("takes a deadline to come", async () => {
    expect((await dispatch({ deadline: new Date(Date.now() + 60_000).toISOString() })).status).toBe(202);
  });
});

describe("repeating a dispatch", () => {
  it("answers as the first time after its deadline has passed, and as a new one is refused", async () => {
    const body = { deadline: new Date(Date.now() + 60_000).toISOString() };
    const headers = { "idempotency-key": "before its deadline" };
    const send = (key: string) =>
      app.call("POST", path, { body: { ...given, ...body }, headers: { "idempotency-key": key } });
    const first = await send(headers["idempotency-key"]);
    ahead = 3_600_000;
    try {
      const again = await send(headers["idempotency-key"]);
      expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([202, first.text, "true"]);
      const dry = await app.call("POST", `${path}?dry_run=true`, { body: { ...given, ...body }, headers });
      expect([dry.status, dry.body.errors?.[0]?.pointer]).toEqual([422, "/deadline"]); // what a new one would come to, not what the first was
      const late = await send("after its deadline");
      expect([late.status, late.body.errors[0].pointer]).toEqual([422, "/deadline"]);
    } finally {
      ahead = 0;
    }
  });

  it("records no approval that was never written, nor does a dry run", async () => {
    const send = (query: string, key: string) =>
      app.call("POST", path + query, {
        body: { ...given, require_approval: true },
        headers: { "idempotency-key": key },
      });
    const answers = [
      await send("", "asked once"),
      await send("", "asked once"),
      await send("?dry_run=true", "asked otherwise"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 200]);
    const approvals = answers.map(async ({ headers }) => {
      const { rows } = await app.pool.query(
        "select body::json ->> 'approval_id' as approval from audit_records where id = $1",
        [headers.get("audit-ref")],
      );
      return rows[0].approval;
    });
    expect(await Promise.all(approvals)).toEqual([expect.stringMatching(/^apr_/), null, null]);
  });

  it("answers as the first time where the agent has no such skill any more, and as a new one is refused", async () => {
    const send = (key: string) => app.call("POST", path, { body: given, headers: { "idempotency-key": key } });
    const rename = async (from: string, to: string) => {
      const skills =
        "select jsonb_agg(case when s ->> 'name' = $1 then s || jsonb_build_object('name', $2::text) else s end) from jsonb_array_elements(definition -> 'skills') s";
      await app.pool.query(
        `update agent_versions set definition = jsonb_set(definition, '{skills}', (${skills})) where agent = 'sales'`,
        [from, to],
      );
      await refreshAgents();
    };
    const first = await send("while it had it");
    expect(first.status).toBe(202);
    await rename("qualify_lead", "rate_lead");
    try {
      const again = await send("while it had it");
      expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([202, first.text, "true"]);
      const late = await send("afterwards");
      expect([late.status, late.body.errors[0].code]).toEqual([422, "unknown_task"]);
    } finally {
      await rename("rate_lead", "qualify_lead");
    }
  });

  it("to another agent makes another task: the key is bound to what it was sent to", async () => {
    await deployTwin();
    const headers = { "idempotency-key": "one key for two agents" };
    const body = { ...given, require_approval: true };
    const answers = await Promise.all(
      ["sales", "sales-twin", "sales"].map((agent) => app.call("POST", `/v1/agents/${agent}/tasks`, { body, headers })),
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    const [one, other, again] = answers.map(({ body }) => body.task_id);
    expect([again === one, other === one]).toEqual([true, false]);
    const agentOf = async (task: string) => (await app.call("GET", `/v1/tasks/${task}`)).body.agent;
    expect([await agentOf(one), await agentOf(other)]).toEqual(["sales", "sales-twin"]);
  });
});

describe("limits that policies set to a dispatch", () => {
  it("are kept with the task, for its run", async () => {
    const { secret, memberId } = await app.member("operator");
    const limit = { steps: 3, cost_usd: 0.5 };
    await app.policy({
      scope: { actions: ["task.dispatch"] },
      when: `principal.id == "${memberId}"`,
      effect: "limit",
      params: limit,
    });
    const limitsOf = async (key: string) => {
      const { task_id } = await app.dispatch({}, { key });
      const { rows } = await app.pool.query("select run_limits::json as limits from tasks where id = $1", [task_id]);
      return rows[0].limits;
    };
    expect([await limitsOf(secret), await limitsOf("admin")]).toEqual([limit, null]);
  });
});

describe("the options of a dispatch", () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000);

  it("name the time before which it does not begin: the wake-up comes then", async () => {
    const not_before = inAnHour().toISOString();
    const { body } = await dispatch({ options: { not_before } });
    expect((await app.call("GET", `/v1/tasks/${body.task_id}`)).body.not_before).toBe(not_before);
    const { rows } = await app.pool.query(
      "select j.run_at from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id where p.payload ->> 'task' = $1",
      [body.task_id],
    );
    expect(rows).toEqual([{ run_at: new Date(not_before) }]);
  });

  it("hold for a task that people approve before its time", async () => {
    const not_before = inAnHour().toISOString();
    const { body } = await dispatch({ require_approval: true, options: { not_before } });
    await approve(app, body.task_id);
    const { rows } = await app.pool.query(
      "select run_at from graphile_worker._private_jobs where payload ->> 'task' = $1",
      [body.task_id],
    );
    expect(rows).toEqual([{ run_at: new Date(not_before) }]);
  });

  it("cannot put the beginning behind the deadline", async () => {
    const deadline = inAnHour().toISOString();
    for (const not_before of [deadline, new Date(Date.parse(deadline) + 1).toISOString()]) {
      const { status, body } = await dispatch({ deadline, options: { not_before } });
      expect([status, body.errors[0]]).toEqual([
        422,
        expect.objectContaining({ pointer: "/options/not_before", code: "after_deadline" }),
      ]);
    }
  });

  it("say how long people may take, and what becomes of it then", async () => {
    const approval = { expires_in_seconds: 600, on_expiry: "escalate" };
    const { body } = await dispatch({ require_approval: true, options: { approval } });
    const { rows } = await app.pool.query(
      "select on_expiry, extract(epoch from expires_at - created_at)::float8 as seconds from approvals where task_id = $1",
      [body.task_id],
    );
    expect(rows[0].on_expiry).toBe("escalate");
    expect(Math.abs(rows[0].seconds - 600)).toBeLessThan(10);
  });

  it("make people decide for as long as it takes where they say nothing", async () => {
    const { body } = await dispatch({ require_approval: true, options: {} });
    const { rows } = await app.pool.query("select expires_at, on_expiry from approvals where task_id = $1", [
      body.task_id,
    ]);
    expect(rows).toEqual([{ expires_at: null, on_expiry: null }]);
  });

  it.each([
    [{ no_such_option: 1 }, "/options/no_such_option"],
    [{ not_before: "tomorrow" }, "/options/not_before"],
    [{ approval: { expires_in_seconds: 59, on_expiry: "reject" } }, "/options/approval/expires_in_seconds"],
    [{ approval: { expires_in_seconds: 31_536_001, on_expiry: "reject" } }, "/options/approval/expires_in_seconds"],
    [{ approval: { expires_in_seconds: 60, on_expiry: "approve" } }, "/options/approval/on_expiry"],
    [{ approval: { expires_in_seconds: 60 } }, "/options/approval/on_expiry"],
  ])("are refused with their place where they are wrong: %j", async (options, pointer) => {
    const { status, body } = await dispatch({ require_approval: true, options });
    expect([status, body.errors.map((fault: { pointer: string }) => fault.pointer)]).toEqual([422, [pointer]]);
  });
});

/** Deploys the sample a second time, under another name. */
async function deployTwin(): Promise<void> {
  await app.pool.query(
    `with agent as (
       insert into agents (organization, name, owner, draft) select organization, 'sales-twin', owner, draft from agents where name = 'sales' returning organization),
     version as (
       insert into agent_versions (organization, agent, number, id, definition, author)
       select organization, 'sales-twin', number, $1, definition, author from agent_versions where agent = 'sales' and number = 1 returning number)
     insert into deployments (organization, environment, id, agent, version_number, state, author)
     select agent.organization, 'development', $2, 'sales-twin', version.number, 'live', 'test' from agent, version`,
    [app.app.newId("ver"), app.app.newId("dep")],
  );
  await refreshAgents();
}

async function refreshAgents(): Promise<void> {
  await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'agents'");
  await app.pool.query("insert into fact_epochs (topic, epoch) values ('agents', 1) on conflict (topic) do nothing");
  await app.app.facts.refresh();
}
