import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();

const definition = {
  description: "Answers.",
  labels: ["care"],
  model: { provider: "builtin" },
  instructions: "Be brief.",
  knowledge: ["leads"],
  tools: [{ name: "get", kind: "record", base: "leads", effect: "read" }],
  skills: [{ name: "answer", input: { type: "object" }, tools: ["get"] }],
};
let agents = 0;
/** A new agent: its name and its ETag. */
async function draft(): Promise<{ agent: string; etag: string }> {
  const agent = `changed-${++agents}`;
  const { headers } = await app.call("POST", "/v1/agents", { body: { agent, ...definition } });
  return { agent, etag: headers.get("etag") as string };
}
const change = ({ agent, etag }: { agent: string; etag: string }, body: unknown, headers = {}) =>
  app.call("PATCH", `/v1/agents/${agent}`, { body, headers: { "if-match": etag, ...headers } });
const yaml = { "content-type": "application/yaml" };
const placesOf = (body: { errors: { pointer: string; code: string }[] }) =>
  body.errors.map(({ pointer, code }) => `${pointer} ${code}`);

describe("changing a draft", () => {
  it.each([
    [{ description: "New." }, { description: "New." }],
    [{ model: { provider: "openai", name: "sample-model" } }, { model: { provider: "openai", name: "sample-model" } }],
    [{ instructions: "Longer." }, { instructions: "Longer." }],
    [
      { tools: [], skills: [] },
      { tools: [], skills: [] },
    ],
    [
      { skills: [{ name: "other", input: { type: "object" } }] },
      { skills: [{ name: "other", input: { type: "object" } }] },
    ],
  ])("puts %j in the place of what was there, whole, and keeps the rest", async (body, expected) => {
    const { description, model, instructions, knowledge, tools, skills } = definition;
    const changed = await change(await draft(), body);
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject({ revision: 2, labels: ["care"] });
    expect(changed.body.definition).toEqual({
      description,
      model,
      instructions,
      knowledge,
      tools,
      skills,
      ...expected,
    });
    expect(changed.body.description).toBe(changed.body.definition.description);
  });

  it("takes away what is null", async () => {
    const one = await draft();
    const { body } = await change(one, { instructions: null, labels: null, tools: [], skills: [], knowledge: null });
    expect(body.definition).toEqual({ description: "Answers.", model: { provider: "builtin" }, tools: [], skills: [] });
    expect(body.labels).toEqual([]);
  });

  it("replaces labels, by which lists and policies find the agent from then on", async () => {
    const one = await draft();
    await app.policy({
      scope: { actions: ["agent.read"] },
      when: 'has(agent.labels) && "sealed" in agent.labels',
      effect: "deny",
    });
    expect((await app.call("GET", `/v1/agents/${one.agent}`)).status).toBe(200);
    expect((await change(one, { labels: ["sealed"] })).body.labels).toEqual(["sealed"]);
    expect((await app.call("GET", `/v1/agents/${one.agent}`)).body.code).toBe("policy_blocked");
  });

  it("replaces labels for what is dispatched too, from memory and at once", async () => {
    const one = await draft();
    await app.policy({ scope: { actions: ["task.dispatch"] }, when: '"barred" in agent.labels', effect: "deny" });
    const simple = { tools: [], skills: [{ name: "answer", input: { type: "object" } }], knowledge: null };
    const changed = await change(one, simple);
    await app.call("POST", `/v1/agents/${one.agent}/versions`, { body: {} });
    await app.pool.query(
      `insert into deployments (organization, environment, id, agent, version_number, state, author)
       values ('default', 'development', $1, $2, 1, 'live', 'test')`,
      [app.app.newId("dep"), one.agent],
    );
    const live = await app.call("GET", `/v1/agents/${one.agent}`);
    expect(live.headers.get("etag")).not.toBe(changed.headers.get("etag"));
    expect((await change({ ...one, etag: live.headers.get("etag") as string }, { labels: ["barred"] })).status).toBe(
      200,
    );
    const { body } = await app.call("POST", `/v1/agents/${one.agent}/tasks`, { body: { task: "answer" } });
    expect(body.code).toBe("policy_blocked");
  });

  it("hands the agent to another member, and to no stranger", async () => {
    const one = await draft();
    const { memberId } = await app.member("builder");
    const given = await change(one, { owner: memberId });
    expect([given.status, given.body.owner]).toEqual([200, memberId]);
    const lost = await change({ ...one, etag: given.headers.get("etag") as string }, { owner: "mbr_none" });
    expect([lost.status, placesOf(lost.body)]).toEqual([422, ["/owner unknown_member"]]);
  });

  it("sees a change together with the rest of the draft", async () => {
    const { status, body } = await change(await draft(), { tools: [] });
    expect([status, placesOf(body)]).toEqual([422, ["/skills/0/tools/0 unknown_tool"]]);
  });

  it("refuses another agent's name, and a change of nothing", async () => {
    const one = await draft();
    expect(placesOf((await change(one, { agent: "sales" })).body)).toEqual(["/agent another_agent"]);
    expect((await change(one, { agent: one.agent })).status).toBe(200);
    expect(placesOf((await change(one, {})).body)).toEqual([" too_few_fields"]);
  });

  it("leaves the revision as it is where nothing changes", async () => {
    const one = await draft();
    const { status, headers, body } = await change(one, { description: "Answers.", labels: ["care"] });
    expect([status, headers.get("etag"), body.revision]).toEqual([200, one.etag, 1]);
  });

  it("holds to the revision that its caller saw, in either representation", async () => {
    const one = await draft();
    const file = await app.call("GET", `/v1/agents/${one.agent}`, { headers: { accept: "application/yaml" } });
    const byFile = { ...one, etag: file.headers.get("etag") as string };
    expect(byFile.etag).not.toBe(one.etag);
    expect((await change(byFile, { description: "Second." })).body.revision).toBe(2);
    const stale = await change(one, { description: "Third." });
    expect([stale.status, stale.body.code]).toEqual([412, "stale_revision"]);
  });

  it("lets one of several with the same ETag change it", async () => {
    const one = await draft();
    const all = await Promise.all(Array.from({ length: 8 }, (_, n) => change(one, { description: `${n}` })));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412, 412, 412]);
    expect((await app.call("GET", `/v1/agents/${one.agent}`)).body.revision).toBe(2);
  });

  it("does not change an archived agent", async () => {
    const one = await draft();
    await app.pool.query("update agents set archived_at = now() where name = $1", [one.agent]);
    for (const body of [{ description: "Too late." }, { description: "Answers." }]) {
      const { status, body: problem } = await change(one, body);
      expect([status, problem.code]).toEqual([409, "agent_archived"]);
    }
  });
});

describe("changing a draft by a file", () => {
  it("makes the file the whole draft: what it leaves out is gone", async () => {
    const one = await draft();
    const { status, body } = await change(
      one,
      `agent: ${one.agent}\ndescription: Bare.\nmodel: { provider: builtin }\n`,
      yaml,
    );
    expect([status, body.labels, body.definition]).toEqual([
      200,
      [],
      { description: "Bare.", model: { provider: "builtin" }, tools: [], skills: [] },
    ]);
  });

  it("changes nothing by the file that was read", async () => {
    const one = await draft();
    const read = () => app.call("GET", `/v1/agents/${one.agent}`, { headers: { accept: "application/yaml" } });
    const before = await read();
    const { status, body } = await change({ ...one, etag: before.headers.get("etag") as string }, before.text, yaml);
    expect([status, body.revision]).toEqual([200, 1]);
    expect((await read()).text).toBe(before.text);
  });

  it("refuses the file of another agent", async () => {
    const one = await draft();
    const { status, body } = await change(
      one,
      "agent: sales\ndescription: Bare.\nmodel: { provider: builtin }\n",
      yaml,
    );
    expect([status, placesOf(body)]).toEqual([422, ["/agent another_agent"]]);
  });

  it("tells faults by line and column", async () => {
    const one = await draft();
    const { status, body } = await change(one, `agent: ${one.agent}\nmodel:\n  provider: bultin\n`, yaml);
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([
      { pointer: "/description", code: "required", line: 1, column: 1 },
      { pointer: "/model/provider", code: "not_allowed", line: 3, column: 13 },
    ]);
  });
});
