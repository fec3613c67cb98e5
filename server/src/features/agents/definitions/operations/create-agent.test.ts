import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();

const yaml = { "content-type": "application/yaml" };
const file = (name: string): string => `agent: ${name}
description: Answers questions.
labels: [care]
knowledge: [leads]
model: { provider: builtin }
tools:
  - name: find
    kind: search
    effect: read
skills:
  - name: answer
    input:
      type: object
      properties: { question: { type: string } }
    tools: [find]
`;
const secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH";
const create = (body: unknown, options = {}) => app.call("POST", "/v1/agents", { body, ...options });
const placesOf = (body: { errors: { pointer: string; code: string }[] }) =>
  body.errors.map(({ pointer, code }) => `${pointer} ${code}`);

describe("creating an agent", () => {
  it("keeps a whole definition as the draft of the caller's agent", async () => {
    const { secret, memberId } = await app.member("builder");
    const body = {
      agent: "whole",
      description: "Does it.",
      labels: ["a", "b"],
      model: { provider: "builtin" },
      instructions: "Be brief.",
    };
    const made = await create(body, { key: secret });
    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe("/v1/agents/whole");
    expect(made.body).toMatchObject({
      agent: "whole",
      owner: memberId,
      labels: ["a", "b"],
      status: "draft",
      revision: 1,
      deployment: null,
      paused: null,
      definition: {
        description: "Does it.",
        model: { provider: "builtin" },
        instructions: "Be brief.",
        tools: [],
        skills: [],
      },
    });
    const read = await app.call("GET", "/v1/agents/whole");
    expect(read.body).toEqual(made.body);
    expect(read.headers.get("etag")).toBe(made.headers.get("etag"));
  });

  it("makes a blank agent on the built-in model of name and description", async () => {
    const { status, body } = await create({ agent: "blank", description: "To be written." });
    expect(status).toBe(201);
    expect(body.definition).toEqual({
      description: "To be written.",
      model: { provider: "builtin" },
      tools: [],
      skills: [],
    });
  });

  it("wants a model as soon as there is anything to run", async () => {
    const { status, body } = await create({ agent: "half", description: "", skills: [] });
    expect([status, placesOf(body)]).toEqual([422, ["/model required"]]);
  });

  it("copies the draft or a version of another agent, under a description and labels of its own", async () => {
    const sales = (await app.call("GET", "/v1/agents/sales")).body;
    const copy = await create({ agent: "copy", from: { agent: "sales" } });
    expect(copy.body).toMatchObject({
      agent: "copy",
      description: sales.description,
      labels: ["sample"],
      definition: sales.definition,
    });
    await app.pool.query(
      "update agents set draft = jsonb_set(draft, '{description}', '\"newer\"') where name = 'copy'",
    );
    await app.call("POST", "/v1/agents/copy/versions", { body: {} });
    await app.pool.query(
      "update agents set draft = jsonb_set(draft, '{description}', '\"newest\"') where name = 'copy'",
    );
    const second = await create({ agent: "copy-of-version", from: { agent: "copy", version: 1 }, labels: [] });
    expect(second.body).toMatchObject({ labels: [], definition: { ...sales.definition, description: "newer" } });
    const third = await create({ agent: "copy-of-draft", from: { agent: "copy" }, description: "Mine." });
    expect(third.body).toMatchObject({
      description: "Mine.",
      definition: { ...sales.definition, description: "Mine." },
    });
    expect((await create({ agent: "plain-copy", from: { agent: "copy" } })).body.definition.description).toBe("newest");
  });

  it.each([
    [{ from: { agent: "nobody" } }, "/from/agent unknown_agent"],
    [{ from: { agent: "sales", version: 99 } }, "/from/version unknown_version"],
    [{ from: { agent: "sales" }, model: { provider: "builtin" } }, "/model not_together"],
    [{ from: { agent: "sales" }, instructions: "x" }, "/instructions not_together"],
    [{ from: { agent: "sales" }, description: `Key ${secret}` }, "/description secret_refused"],
    [{ description: "", labels: [secret] }, "/labels/0 secret_refused"],
    [{}, "/description required"],
  ])("refuses %j with its place", async (members, place) => {
    const { status, body } = await create({ agent: "never", ...members });
    expect([status, placesOf(body)]).toEqual([422, [place]]);
    expect((await app.call("GET", "/v1/agents/never")).status).toBe(404);
  });

  it("says every fault of a definition once, whether the schema says it or the rules do", async () => {
    const { status, body } = await create({
      agent: "faulty",
      description: 7,
      model: { provider: "builtin" },
      tools: [{ name: "get", kind: "record", base: "leads", effect: "read" }],
      skills: [{ name: "s", input: { type: "object" }, tools: ["got"] }],
      colour: "red",
    });
    expect([status, placesOf(body).sort()]).toEqual([
      422,
      ["/colour unknown_field", "/description type", "/skills/0/tools/0 unknown_tool", "/tools/0/base unknown_base"],
    ]);
  });

  it("refuses a second agent of a name, also where the first is archived", async () => {
    const again = await create({ agent: "sales", description: "" });
    expect([again.status, again.body.code]).toEqual([409, "agent_exists"]);
    await create({ agent: "gone", description: "" });
    await app.pool.query("update agents set archived_at = now() where name = 'gone'");
    const archived = await create({ agent: "gone", description: "" });
    expect([archived.status, archived.body.detail]).toEqual([409, expect.stringContaining("archived")]);
  });

  it("lets one of several at once make the agent", async () => {
    const all = await Promise.all(Array.from({ length: 8 }, (_, n) => create({ agent: "raced", description: `${n}` })));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  it("makes and copies with a key that is narrowed to agents these only", async () => {
    const issued = await app.call("POST", "/v1/admin/keys", {
      body: { name: "narrow", role: "builder", agents: ["mine", "sales"] },
    });
    const key = issued.body.key;
    const other = await create({ agent: "theirs", description: "" }, { key });
    expect([other.status, other.body.code, other.body.missing_scope]).toEqual([
      403,
      "insufficient_scope",
      "agent:theirs",
    ]);
    const copied = await create({ agent: "mine", from: { agent: "blank" } }, { key });
    expect([copied.status, copied.body.missing_scope]).toEqual([403, "agent:blank"]);
    expect((await create({ agent: "mine", from: { agent: "sales" } }, { key })).status).toBe(201);
  });

  it("lets dispatch find the agent at once: it is there, and not deployed", async () => {
    await create({ agent: "known", description: "" });
    const { status, body } = await app.call("POST", "/v1/agents/known/tasks", { body: { task: "answer" } });
    expect([status, body.code]).toEqual([409, "agent_not_deployed"]);
  });
});

describe("an agent as a file", () => {
  it("comes back byte for byte from the second time on, and the first time with nothing lost", async () => {
    const made = await create(file("filed"), { headers: yaml });
    expect(made.status, made.text).toBe(201);
    expect(made.body.definition.skills).toEqual([
      { name: "answer", input: { type: "object", properties: { question: { type: "string" } } }, tools: ["find"] },
    ]);
    const read = (name: string) => app.call("GET", `/v1/agents/${name}`, { headers: { accept: "application/yaml" } });
    const first = await read("filed");
    expect([first.status, first.headers.get("content-type")]).toEqual([200, "application/yaml"]);
    const again = await create(first.text.replace("agent: filed", "agent: filed-again"), { headers: yaml });
    expect(again.body.definition).toEqual(made.body.definition);
    expect((await read("filed-again")).text.replace("agent: filed-again", "agent: filed")).toBe(first.text);
  });

  it.each([
    ["a: [1", "syntax"],
    [`${"[".repeat(40)}${"]".repeat(40)}`, "too_deep"],
  ])("is 400 where it is no YAML: %j", async (text, code) => {
    const { status, body } = await create(text, { headers: yaml });
    expect([status, body.code, body.errors[0].code]).toEqual([400, "malformed_body", code]);
    expect(body.errors[0]).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
  });

  it("is 400 where it is not UTF-8", async () => {
    const response = await fetch(`${app.url}/v1/agents`, {
      method: "POST",
      headers: { ...yaml, authorization: `Bearer ${app.key("admin")}` },
      body: Buffer.from([0x61, 0x3a, 0x20, 0xff]),
    });
    const body = (await response.json()) as { code: string; errors: { code: string }[] };
    expect([response.status, body.code, body.errors[0]?.code]).toEqual([400, "malformed_body", "not_utf8"]);
  });

  it("holds no secret: one is refused by its place and not repeated", async () => {
    const text = file("secret").replace("Answers questions.", `Key ${secret}.`);
    const { status, body, text: answer } = await create(text, { headers: yaml });
    expect([status, body.errors[0]]).toMatchObject([422, { pointer: "/description", code: "secret_refused", line: 2 }]);
    expect(answer).not.toContain("abcdefghijklmnop");
  });
});
