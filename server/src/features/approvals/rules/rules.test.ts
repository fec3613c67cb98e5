import { describe, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { eventually } from "../../../testing/tasks.ts";
import { testRuleOn } from "./past.ts";

const app = useSharedApp();
const path = "/v1/approvals/settings/rules";

interface Text {
  readonly when?: object;
  readonly require?: object;
  readonly title?: string;
}

const put = (name: string, text: Text = {}, headers: Record<string, string> = {}) =>
  app.call("PUT", `${path}/${name}`, {
    headers,
    body: { title: "Refunds", when: {}, require: { stages: [{ quorum: 1 }] }, ...text },
  });

/** An agent of whose tasks nobody is asked, with any input. */
async function agentOf(agent: string): Promise<void> {
  const skill = { name: "settle", input: { type: "object" } };
  const body = { agent, description: "Settles.", model: { provider: "builtin" }, skills: [skill] };
  for (const [path, given] of [
    ["/v1/agents", body],
    [`/v1/agents/${agent}/versions`, {}],
    [`/v1/agents/${agent}/deployments`, { version: 1 }],
  ] as const)
    expect((await app.call("POST", path, { body: given })).status).toBe(201);
}

/** Puts a rule in force for what an agent of the same name does with more than 100. */
async function ruled(name: string, require: object) {
  await agentOf(name);
  const set = await put(name, { when: { agents: [name], amount: { field: "order.amount", above: 100 } }, require });
  expect(set.status, set.text).toBe(200);
  return async (amount: unknown, key?: string): Promise<string> => {
    const body = { task: "settle", input: { order: { amount } } };
    const {
      status,
      body: made,
      text,
    } = await app.call("POST", `/v1/agents/${name}/tasks`, { ...(key && { key }), body });
    expect(status, text).toBe(202);
    return made.task_id;
  };
}

const read = async (task: string, key?: string) =>
  (await app.call("GET", `/v1/approvals/${task}`, { ...(key && { key }) })).body;
const approve = (task: string, key: string, body: object = {}) =>
  app.call("POST", `/v1/approvals/${task}/approve`, { key, body });

const escalated = async (task: string, key: string) => {
  const body = { escalate: true, reason: "Theirs." };
  const answer = await app.call("POST", `/v1/approvals/${task}/delegate`, { key, body });
  expect(answer.status, answer.text).toBe(200);
  return answer;
};

async function team(name: string, members: readonly string[]): Promise<void> {
  const { status, text } = await app.call("PUT", `/v1/admin/teams/${name}`, { body: { title: name, members } });
  expect(status, text).toBe(200);
}

/** What a call answers that comes to wait for a row of this table, which this statement holds, until that has taken effect. */
async function during<T>(table: string, statement: string, call: () => Promise<T>): Promise<T> {
  const client = await app.pool.connect();
  try {
    await client.query("begin");
    await client.query(statement);
    const answer = call();
    await eventually(async () => {
      const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like $1";
      expect((await app.pool.query(waiting, [`%${table}%`])).rowCount).toBe(1);
    });
    await client.query("commit");
    return await answer;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

describe("approval rules", () => {
  it("are versioned with their authors, compared by If-Match, listed, retired and set again", async () => {
    const first = await put("versioned");
    expect(first.body).toMatchObject({
      version: 1,
      state: "active",
      require: { four_eyes: false, expires_in_seconds: null },
    });
    const match = { "if-match": first.headers.get("etag") as string };
    const second = await put("versioned", { title: "Refunds again" }, match);
    expect(second.body).toMatchObject({ version: 2, title: "Refunds again", author: { kind: "person" } });
    expect(second.body.versions.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
    expect((await put("versioned", {}, match)).status).toBe(412);
    const gone = await app.call("DELETE", `${path}/versioned`, { body: {} });
    expect(gone.body).toMatchObject({ state: "retired", retired_by: { kind: "person" } });
    expect((await app.call("DELETE", `${path}/versioned`, { body: {} })).body.code).toBe("wrong_state");
    const names = async (state: string) =>
      (await app.call("GET", `${path}?state=${state}&limit=100`)).body.data.map(({ rule }: { rule: string }) => rule);
    expect([await names("retired"), await names("active")]).toEqual([
      expect.arrayContaining(["versioned"]),
      expect.not.arrayContaining(["versioned"]),
    ]);
    expect((await put("versioned")).body).toMatchObject({ version: 3, state: "active", retired_at: null });
    expect((await app.call("GET", `${path}/versioned`)).body.version).toBe(3);
    const { rows } = await app.pool.query("select type from events where body like '%\"versioned\"%' order by xid, n");
    expect(rows.map(({ type }) => type.split(".")[1])).toEqual(["set", "set", "retired", "set"]);
    await app.call("DELETE", `${path}/versioned`, { body: {} });
  });

  it("name whom they cannot ask, and what could never be met", async () => {
    const { memberId } = await app.member("viewer");
    const faults = async (require: object) => {
      const { status, body } = await put("faulty", { require });
      return [status, ...body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)];
    };
    expect(await faults({ stages: [{ quorum: 1, teams: ["no-such"], members: [memberId, "mbr_1"] }] })).toEqual([
      422,
      "/require/stages/0/teams/0 unknown_team",
      "/require/stages/0/members/0 cannot_decide",
      "/require/stages/0/members/1 unknown_member",
    ]);
    expect(
      await faults({ stages: [{ quorum: 3 }, { quorum: 3 }, { quorum: 2, members: ["mbr_1"] }], on_expiry: "reject" }),
    ).toEqual([422, "/require/stages too_many", "/require/on_expiry without_time", "/require/stages/2/quorum too_few"]);
    const one = { quorum: 1, members: ["mbr_1"] };
    expect(await faults({ stages: [one, one] })).toEqual([422, "/require/stages too_few"]);
  });

  it("are at most 200 in an environment", async () => {
    const fill = `insert into approval_rules (organization, environment, name, version, title, definition, author, created_at, retired_at)
      select 'default', 'development', 'filled-' || n, 1, 'Filled', '{}', 'test', now(), now() from generate_series(1, 200) n`;
    await app.pool.query(fill);
    expect((await put("one-more")).body.code).toBe("wrong_state");
    await app.pool.query("delete from approval_rules where name like 'filled-%'");
  });

  it("ask the persons whom they name, stage by stage, and say who asked for it", async () => {
    const [one, two, other] = [
      await app.member("approver"),
      await app.member("approver"),
      await app.member("approver"),
    ];
    await team("finance", [one.memberId]);
    const dispatch = await ruled("staged", {
      stages: [
        { quorum: 1, teams: ["finance"] },
        { quorum: 1, members: [two.memberId] },
      ],
      expires_in_seconds: 3600,
      on_expiry: "escalate",
    });
    expect((await app.call("GET", `/v1/tasks/${await dispatch(100)}`)).body.status).not.toBe("awaiting_approval");
    const task = await dispatch("a lot");
    const shown = await read(task, two.secret);
    expect(shown).toMatchObject({
      approvers: 2,
      on_expiry: "escalate",
      required_by: [{ kind: "rule", id: "staged", name: "Refunds", version: 1, stages: [{ teams: ["finance"] }, {}] }],
      could_decide: { count: 2 },
      may_decide: { allowed: false, code: "not_asked" },
      loosened: expect.arrayContaining([expect.objectContaining({ object: "approval_rule:staged" })]),
    });
    expect((await approve(task, two.secret)).body).toMatchObject({ code: "not_asked", stage: "permissions" });
    expect((await approve(task, one.secret)).body).toMatchObject({ status: "pending", approvals: 1 });
    expect((await approve(task, other.secret)).body.code).toBe("not_asked");
    expect((await approve(task, two.secret)).body.status).toBe("approved");
  });

  it("are fixed when people are asked, and refused together with a team that they ask", async () => {
    const { memberId, secret } = await app.member("approver");
    await team("payers", [memberId]);
    const dispatch = await ruled("fixed", { stages: [{ quorum: 1, teams: ["payers"] }] });
    const task = await dispatch(500);
    expect((await app.call("DELETE", "/v1/admin/teams/payers")).body.detail).toContain(
      "the approval rule fixed asks it",
    );
    await app.call("DELETE", `${path}/fixed`, { body: {} });
    const other = await app.member("approver");
    expect((await approve(task, other.secret)).body.code).toBe("not_asked");
    expect((await approve(task, secret)).body.status).toBe("approved");
    expect((await app.call("GET", `/v1/tasks/${await dispatch(500)}`)).body.status).not.toBe("awaiting_approval");
  });

  it("lower nothing that a policy demands, and add up with it", async () => {
    const { memberId, secret } = await app.member("approver");
    const dispatch = await ruled("added", {
      stages: [{ quorum: 1, members: [memberId] }],
      four_eyes: false,
    });
    const policy = await app.call("POST", "/v1/governance/policies", {
      body: {
        name: "Three look",
        scope: { actions: ["task.dispatch"], agents: ["added"] },
        when: "true",
        effect: "require_approval",
        params: { approvers: 3, requester_allowed: false },
        reason_code: "three",
        message: "Three look at it.",
        state: "active",
      },
    });
    expect(policy.status, policy.text).toBe(201);
    const requester = await app.member("admin");
    const task = await dispatch(500, requester.secret);
    expect(await read(task)).toMatchObject({
      approvers: 3,
      requester_allowed: false,
      required_by: [
        { kind: "policy", name: "Three look" },
        { kind: "rule", id: "added" },
      ],
    });
    const digest = (await read(task)).digest;
    for (const { secret: key } of [await app.member("approver"), await app.member("approver")])
      expect((await approve(task, key, { digest })).body.status).toBe("pending");
    const fourth = await app.member("approver");
    expect((await approve(task, fourth.secret, { digest })).body.code).toBe("not_asked");
    expect((await approve(task, secret, { digest })).body.status).toBe("approved");
    await app.call("DELETE", `/v1/governance/policies/${policy.body.policy_id}`, {
      body: {},
      headers: { "if-match": policy.headers.get("etag") as string },
    });
  });

  it("are handed on to nobody else, and met by admins once it was escalated", async () => {
    const [one, other] = [await app.member("approver"), await app.member("approver")];
    const dispatch = await ruled("escalating", { stages: [{ quorum: 1, members: [one.memberId] }] });
    const task = await dispatch(500);
    const hand = (body: object) =>
      app.call("POST", `/v1/approvals/${task}/delegate`, { key: one.secret, body: { reason: "Theirs.", ...body } });
    expect((await hand({ to: other.memberId })).body.errors[0]).toMatchObject({
      pointer: "/to",
      code: "cannot_decide",
    });
    expect((await approve(task, app.key("admin"))).body.code).toBe("not_asked");
    expect((await hand({ escalate: true })).status).toBe(200);
    expect((await approve(task, app.key("admin"))).body.status).toBe("approved");
  });

  it("ask their own persons where an edit after an escalation makes them ask, whatever a caller wants escalated", async () => {
    const finance = await app.member("approver");
    await ruled("raised", { stages: [{ quorum: 1, members: [finance.memberId] }] });
    const options = { approval: { expires_in_seconds: 600, on_expiry: "escalate" } };
    const body = { task: "settle", input: { order: { amount: 1 } }, require_approval: true, options };
    const made = await app.call("POST", "/v1/agents/raised/tasks", { body });
    const task = made.body.task_id;
    expect((await read(task)).on_expiry, made.text).toBe("escalate");
    const { secret } = await app.member("approver");
    await escalated(task, secret);
    const edited = await approve(task, (await app.member("admin")).secret, { edits: { order: { amount: 500 } } });
    expect(edited.body).toMatchObject({
      status: "pending",
      round: 2,
      approvals: 0,
      escalated_at: null,
      escalated_by: null,
      on_expiry: null,
      required_by: [{ id: "raised" }],
    });
    expect((await approve(task, app.key("admin"))).body.code).toBe("not_asked");
    expect((await approve(task, finance.secret)).body.status).toBe("approved");
    const high = await app.call("POST", "/v1/agents/raised/tasks", {
      body: { ...body, input: { order: { amount: 500 } } },
    });
    expect(await read(high.body.task_id)).toMatchObject({ expires_at: null, required_by: [{ id: "raised" }] });
  });

  it("whose persons are gone say so, and leave it to others to reject it, send it back or escalate it", async () => {
    const [gone, last, other] = [
      await app.member("approver"),
      await app.member("approver"),
      await app.member("approver"),
    ];
    await team("leavers", [gone.memberId]);
    const dispatch = await ruled("deserted", {
      stages: [
        { quorum: 1, teams: ["leavers"] },
        { quorum: 1, roles: ["approver"], members: [last.memberId] },
      ],
    });
    await team("leavers", []);
    const [rejected, sentBack, raised] = [await dispatch(500), await dispatch(500), await dispatch(500)];
    expect(await read(rejected)).toMatchObject({
      could_decide: { count: expect.any(Number) },
      undecidable_reason: expect.stringContaining("Escalate it to the admins"),
    });
    expect((await app.call("POST", `${path}/deserted/test`, { body: {} })).body.missing).toBe(1);
    const send = (task: string, word: string, body: object, key = other.secret) =>
      app.call("POST", `/v1/approvals/${task}/${word}`, { key, body });
    expect((await approve(rejected, other.secret)).body.code).toBe("not_asked");
    expect((await send(rejected, "reject", { reason: "No." })).body.status).toBe("rejected");
    expect((await send(sentBack, "request-changes", { note: "Less." })).body.status).toBe("changes_requested");
    const [first, second] = [await app.member("admin"), await app.member("admin")];
    expect((await escalated(raised, first.secret)).body.escalated_by.id).toBe(first.memberId);
    expect((await approve(raised, first.secret)).body.code).toBe("not_asked");
    expect((await approve(raised, second.secret)).body.status).toBe("pending");
    expect((await approve(raised, app.key("admin"))).body.status).toBe("approved");
  });

  it("ask no team that is being removed, and say so where another call takes their name meanwhile", async () => {
    await team("fleeting", []);
    const set = await during("teams", "delete from teams where name = 'fleeting'", () =>
      put("racing", { require: { stages: [{ quorum: 1, teams: ["fleeting"] }] } }),
    );
    expect(set.body.errors).toMatchObject([{ code: "unknown_team" }]);
    const taken = `insert into approval_rules (organization, environment, name, version, title, definition, author, created_at, retired_at, retired_by)
      select organization, environment, 'taken-name', 1, title, definition, author, created_at, now(), 'test' from approval_rules limit 1`;
    const second = await during("approval_rules", taken, () => put("taken-name"));
    expect([second.status, second.body.code], second.text).toEqual([412, "stale_revision"]);
  });
});

describe("testing a rule on past tasks", () => {
  it("ends once it has read enough, and counts only what it looked at", async () => {
    const dispatch = await ruled("bounded", { stages: [{ quorum: 1 }] });
    for (const amount of [500, 501, 502]) await dispatch(amount);
    const ctx = { db: createReader(app.pool), scope: app.scope, facts: app.app.facts, now: Date.now() };
    const definition = {
      when: { agents: ["bounded"], amount: { field: "order.amount", above: 100 } },
      require: { stages: [{ quorum: 1, roles: [], teams: [], members: [] }], four_eyes: false, expiry: null },
    };
    const looked = (characters: number) =>
      testRuleOn(ctx as unknown as WriteContext, "bounded", definition, 3, { characters, calls: 1, page: 1 });
    expect(await looked(1)).toMatchObject({ caught: 1, looked_at: { tasks: 1 }, examples: [{ agent: "bounded" }] });
    expect(await looked(10_000)).toMatchObject({ caught: 3, asked_anyway: 3, looked_at: { tasks: 3 } });
  });

  const test = (name: string, body: object = {}) => app.call("POST", `${path}/${name}/test`, { body });

  it("finds what it would have caught by the same judgement, and who could have decided", async () => {
    const { memberId } = await app.member("approver");
    const dispatch = await ruled("tested", { stages: [{ quorum: 1, members: [memberId] }, { quorum: 1 }] });
    const caught = [await dispatch(101), await dispatch("many")];
    for (const amount of [100, null]) await dispatch(amount);
    const { status, body, text } = await test("tested");
    expect(status, text).toBe(200);
    expect(body).toMatchObject({ rule: "tested", caught: 2, asked_anyway: 2, stages: [{ persons: 1 }, {}] });
    expect(body.examples.map(({ task_id }: { task_id: string }) => task_id)).toEqual(caught.reverse());
    expect(body.by_agent).toEqual([{ agent: "tested", caught: 2, asked_anyway: 2 }]);
    expect(body.looked_at.tasks).toBeGreaterThanOrEqual(4);
    const all = { title: "All", when: {}, require: { stages: [{ quorum: 1 }] } };
    expect((await test("not-there", { candidate: all, tasks: 3 })).body).toMatchObject({
      caught: 3,
      looked_at: { tasks: 3 },
    });
    expect((await test("not-there")).status).toBe(404);
    const faulty = { ...all, require: { stages: [{ quorum: 1, teams: ["no-such"] }] } };
    expect((await test("tested", { candidate: faulty })).body.errors[0].pointer).toBe(
      "/candidate/require/stages/0/teams/0",
    );
  });
});
