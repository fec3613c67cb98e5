import { beforeAll, describe, expect, it } from "vitest";
import { type CallOptions, useApp } from "../src/testing/app.ts";

// What a key that is narrowed to agents can reach, by examples. `narrowing.test.ts` walks the registry.

const app = useApp();
let key: string;

/** A key of a person of its own, admin by default, narrowed to agents. */
async function narrowedTo(agents: readonly string[], role = "admin"): Promise<string> {
  const { secret } = await app.member("admin");
  const issued = await app.call("POST", "/v1/admin/keys", { key: secret, body: { name: "narrowed", role, agents } });
  expect(issued.status, issued.text).toBe(201);
  return issued.body.key;
}

const agentOf = (agent: string, knowledge: readonly string[], more: object = {}) => ({
  agent,
  description: "Of the test.",
  model: { provider: "builtin" },
  knowledge,
  ...more,
});
const create = (body: object, options: CallOptions = {}) => app.call("POST", "/v1/agents", { body, ...options });
const put = (base: string, options: CallOptions = {}) =>
  app.call("POST", `/v1/knowledge/bases/${base}/documents`, {
    body: { external_id: "ld_1", fields: { seats: 1 } },
    ...options,
  });

beforeAll(async () => {
  key = await narrowedTo(["support"]);
  for (const name of ["faq", "payroll", "shared", "unused"]) {
    const made = await app.call("POST", "/v1/knowledge/bases", { body: { name } });
    expect(made.status, made.text).toBe(201);
  }
  expect((await create(agentOf("support", ["faq", "shared"]))).status).toBe(201);
  expect((await create(agentOf("hr", ["payroll", "shared"]))).status).toBe(201);
});

describe("a key that is narrowed to an agent", () => {
  it("writes only into knowledge bases that no other agent uses, and not into one that none uses", async () => {
    const statuses = async (base: string) => [
      (await put(base, { key })).status,
      (
        await app.call("POST", `/v1/knowledge/bases/${base}/documents/bulk`, {
          key,
          body: { documents: [{ text: "One." }] },
        })
      ).status,
    ];
    expect(await statuses("faq")).toEqual([202, 207]);
    for (const base of ["payroll", "shared", "unused", "leads"]) expect(await statuses(base)).toEqual([403, 403]);
  });

  it("reads the bases that its agent uses, and lists no others", async () => {
    const document = async (base: string) => (await put(base)).body.document_id;
    const read = async (base: string) =>
      (await app.call("GET", `/v1/knowledge/bases/${base}/documents/${await document(base)}`, { key })).status;
    expect([await read("faq"), await read("shared"), await read("payroll"), await read("unused")]).toEqual([
      200, 200, 403, 403,
    ]);
    const { body } = await app.call("GET", "/v1/knowledge/bases", { key });
    expect(body.data.map(({ name }: { name: string }) => name).sort()).toEqual(["faq", "shared"]);
    expect((await app.call("POST", "/v1/knowledge/bases", { key, body: { name: "mine" } })).status).toBe(403);
  });

  it("does not draw bases or connections of others into its agent's definition", async () => {
    const { headers } = await app.call("GET", "/v1/agents/support");
    const change = (body: object) =>
      app.call("PATCH", "/v1/agents/support", { key, body, headers: { "if-match": headers.get("etag") as string } });
    const tools = [{ kind: "record", name: "look_up", base: "payroll", effect: "read" }];
    const search = [{ kind: "search", name: "look_up", bases: ["faq", "payroll"], effect: "read" }];
    const model = { provider: "openai", name: "gpt", connection: "openai-of-hr" };
    for (const body of [
      { knowledge: ["faq", "payroll"] },
      { knowledge: ["unused"] },
      { tools },
      { tools: search },
      { model },
    ]) {
      const { status, body: said } = await change(body);
      expect([status, said.code], JSON.stringify(body)).toEqual([403, "insufficient_scope"]);
    }
    const yaml = await app.call("PATCH", "/v1/agents/support", {
      key,
      body: "agent: support\ndescription: d\nmodel: {provider: builtin}\nknowledge: [payroll]\n",
      headers: { "content-type": "application/yaml", "if-match": headers.get("etag") as string },
    });
    expect(yaml.status).toBe(403);
    expect((await change({ description: "Mine.", knowledge: ["shared", "faq"] })).status).toBe(200);
    const fresh = await narrowedTo(["support", "fresh"]);
    expect((await create(agentOf("fresh", ["payroll"]), { key: fresh })).status).toBe(403);
    expect((await create(agentOf("fresh", ["shared"]), { key: fresh })).status).toBe(201);
  });

  it("revokes no key that is not narrowed as it is, lists none, and takes no role away", async () => {
    const other = await app.member("admin");
    expect((await app.call("DELETE", `/v1/admin/keys/${other.keyId}`, { key, body: {} })).status).toBe(403);
    const listed = await app.call("GET", "/v1/admin/keys?limit=100", { key });
    expect(listed.body.data.map(({ agents }: { agents: string[] | null }) => agents)).toEqual([["support"]]);
    const member = `/v1/admin/members/${other.memberId}`;
    for (const role of [null, "viewer"])
      expect((await app.call("PUT", member, { key, body: { role } })).status).toBe(403);
    expect((await app.call("GET", "/v1/admin/whoami", { key: other.secret })).status).toBe(200);
  });

  it("issues keys of its own person that are narrowed as it is, and for nobody else", async () => {
    const { body: me } = await app.call("GET", "/v1/admin/whoami", { key });
    const other = await app.member("admin");
    const issue = async (more: object) =>
      (
        await app.call("POST", "/v1/admin/keys", {
          key,
          body: { name: "n", role: "viewer", agents: ["support"], ...more },
        })
      ).status;
    expect(await issue({})).toBe(201);
    expect(await issue({ for: { member: me.principal.id } })).toBe(201);
    expect(await issue({ for: { member: other.memberId } })).toBe(403);
    expect(await issue({ for: { service_account: "robot" } })).toBe(403);
    expect(await issue({ agents: ["support", "hr"] })).toBe(403);
    expect(await issue({ agents: undefined })).toBe(403);
  });

  it("sees records of calls about its agent and of its own calls, and no others", async () => {
    const own = await app.call("GET", "/v1/agents/support", { key });
    const about = await app.call("GET", "/v1/agents/support");
    const [hr, base, member] = [
      await app.call("GET", "/v1/agents/hr"),
      await put("payroll"),
      await app.call("GET", "/v1/admin/members"),
    ];
    const mine = await app.call("GET", "/v1/knowledge/bases", { key });
    const statusOf = async (answered: { headers: Headers }) =>
      (await app.call("GET", `/v1/audit/events/${answered.headers.get("audit-ref")}`, { key })).status;
    for (const answered of [own, about, mine]) expect(await statusOf(answered)).toBe(200);
    for (const answered of [hr, base, member]) expect(await statusOf(answered)).toBe(403);
    const { body } = await app.call("GET", "/v1/audit/events?limit=100", { key });
    const objects = body.data.map(({ object, key_id }: { object: string; key_id: string }) => [object, key_id]);
    const { key: self } = (await app.call("GET", "/v1/admin/whoami", { key })).body;
    const foreign = objects.filter(
      ([object, by]: [string, string]) => object !== "agent:support" && by !== self.key_id,
    );
    expect(foreign).toEqual([]);
  });

  it("sees the policies that concern its agent, and not those of another", async () => {
    const scoped = async (agents: string[] | null) =>
      app.policy({ scope: agents === null ? {} : { agents }, when: "true", effect: "tag" });
    const [all, own, pattern, other] = [
      await scoped(null),
      await scoped(["hr", "support"]),
      await scoped(["sup*"]),
      await scoped(["hr"]),
    ];
    const { body } = await app.call("GET", "/v1/governance/policies?limit=100", { key });
    const listed = body.data.map(({ policy_id }: { policy_id: string }) => policy_id);
    expect(listed).toEqual(expect.arrayContaining([all, own, pattern]));
    expect(listed).not.toContain(other);
    const read = async (id: string) => (await app.call("GET", `/v1/governance/policies/${id}`, { key })).status;
    expect([await read(all), await read(own), await read(pattern), await read(other)]).toEqual([200, 200, 200, 403]);
  });

  it("replaces and uses scorers only as far as its agent is judged by them", async () => {
    const scorer = {
      kind: "exact",
      pointer: "/team",
      samples: [{ output: { team: "enterprise" }, expected: { team: "enterprise" }, score: 1 }],
    };
    const set = (name: string, options: CallOptions = {}) =>
      app.call("PUT", `/v1/evaluations/scorers/${name}`, { body: scorer, ...options });
    for (const name of ["of-support", "of-hr", "of-nobody"]) expect((await set(name)).status).toBe(200);
    const gate = (agent: string, name: string) =>
      app.pool.query(
        "insert into gates (organization, environment, agent, definition, author) values ('default', 'development', $1, $2, 'test')",
        [agent, JSON.stringify({ datasets: [], scorers: [{ scorer: name }] })],
      );
    await gate("support", "of-support");
    await gate("hr", "of-hr");
    const changed = { ...scorer, description: "Changed." };
    expect((await set("of-support", { key, body: changed })).status).toBe(200);
    for (const name of ["of-hr", "of-nobody", "new-one"])
      expect((await set(name, { key, body: changed })).status).toBe(403);
    const { body } = await app.call("GET", "/v1/evaluations/scorers?limit=100", { key });
    expect(body.data.map((one: { scorer: string }) => one.scorer)).toEqual(["of-support"]);
  });

  it("reaches no further by a session of the portal", async () => {
    const opened = await app.call("POST", "/auth/session", { key: null, body: { key } });
    const headers = {
      cookie: (opened.headers.get("set-cookie") as string).split(";")[0] as string,
      "x-csrf-token": opened.body.csrf,
    };
    expect((await put("faq", { key: null, headers })).status).toBe(202);
    expect((await put("payroll", { key: null, headers })).status).toBe(403);
    expect((await app.call("GET", "/v1/admin/members", { key: null, headers })).status).toBe(403);
  });

  it("is not answered from a stored answer what it may no longer reach", async () => {
    const base = (await app.call("POST", "/v1/knowledge/bases", { body: { name: "handed-on" } })).body.base_id;
    const two = await narrowedTo(["keeper"]);
    await create(agentOf("keeper", ["handed-on"]));
    const headers = { "idempotency-key": "before it was shared" };
    expect((await put(base, { key: two, headers })).status).toBe(202);
    await create(agentOf("newcomer", ["handed-on"]));
    expect((await put(base, { key: two, headers })).status).toBe(403);
  });

  it("is refused in a dry run what it is refused in earnest, and by the item in a batch", async () => {
    expect(
      (await app.call("POST", "/v1/knowledge/bases/payroll/documents?dry_run=true", { key, body: { text: "One." } }))
        .status,
    ).toBe(403);
    const items = [{ agent: "sales", task: "qualify_lead", lead_id: "ld_1001" }];
    const { body } = await app.call("POST", "/v1/tasks/batch", { key, body: { items } });
    expect(body.results).toMatchObject([
      { status: 403, body: { code: "insufficient_scope", missing_scope: "agent:sales" } },
    ]);
  });
});
