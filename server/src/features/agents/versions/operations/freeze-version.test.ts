import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();

const skill = (name: string) => ({ name, input: { type: "object" } });
const definition = { description: "Answers.", model: { provider: "builtin" }, skills: [skill("answer")] };
let agents = 0;
async function newAgent(body: object = definition): Promise<string> {
  const agent = `frozen-${++agents}`;
  const made = await app.call("POST", "/v1/agents", { body: { agent, ...body } });
  expect(made.status, made.text).toBe(201);
  return agent;
}
async function change(agent: string, body: object): Promise<void> {
  const { headers } = await app.call("GET", `/v1/agents/${agent}`);
  const changed = await app.call("PATCH", `/v1/agents/${agent}`, {
    body,
    headers: { "if-match": headers.get("etag") as string },
  });
  expect(changed.status, changed.text).toBe(200);
}
const etagOf = async (agent: string): Promise<string> =>
  (await app.call("GET", `/v1/agents/${agent}`)).headers.get("etag") as string;
/** How many queries like this wait for a lock. */
async function waiting(like: string): Promise<number> {
  const of = "datname = current_database() and wait_event_type = 'Lock' and query like $1";
  return (await app.pool.query(`select count(*)::int as n from pg_stat_activity where ${of}`, [like])).rows[0].n;
}
const freeze = (agent: string, body: object = {}, options = {}) =>
  app.call("POST", `/v1/agents/${agent}/versions`, { body, ...options });

describe("freezing a version", () => {
  it("numbers versions, names their author, their note and what they were made after", async () => {
    const agent = await newAgent();
    const { secret, memberId } = await app.member("builder");
    const first = await freeze(agent, { note: "The first." }, { key: secret });
    expect(first.status).toBe(201);
    expect(first.headers.get("location")).toBe(`/v1/agents/${agent}/versions/1`);
    expect(first.headers.get("etag")).toBe(`"${first.body.digest}-json"`);
    expect(first.body).toMatchObject({
      version: 1,
      version_id: expect.stringMatching(/^ver_/),
      agent,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      note: "The first.",
      author: memberId,
      based_on: null,
      verdict: { state: "missing", reasons: [], expires_at: null },
      deployed: false,
    });
    await change(agent, { description: "Answers better." });
    expect((await freeze(agent)).body).toMatchObject({ version: 2, based_on: 1, note: "" });
  });

  it("makes what never changes, whatever becomes of the draft", async () => {
    const agent = await newAgent();
    await freeze(agent);
    const before = await app.call("GET", `/v1/agents/${agent}/versions/1`);
    await change(agent, { description: "Other.", skills: [skill("other")], labels: [] });
    expect((await app.call("GET", `/v1/agents/${agent}/versions/1`)).body).toEqual(before.body);
  });

  it("refuses a draft that lacks something, and names all of it", async () => {
    const tools = [{ name: "send", kind: "http", effect: "write" }];
    const agent = await newAgent({ description: "", model: { provider: "builtin" }, tools, skills: [] });
    const { status, body } = await freeze(agent);
    expect([status, body.code]).toEqual([409, "draft_incomplete"]);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      "/skills",
      "/tools/0/request",
      "/tools/0/impact",
    ]);
    expect((await app.call("GET", `/v1/agents/${agent}/versions`)).body.data).toEqual([]);
  });

  it("refuses to freeze the same again, and names the version that there is; also one from before digests were kept", async () => {
    const agent = await newAgent();
    const { body: first } = await freeze(agent);
    const again = await freeze(agent);
    expect([again.status, again.body]).toMatchObject([
      409,
      { code: "nothing_changed", version: 1, version_id: first.version_id },
    ]);
    await app.pool.query("update agent_versions set digest = null where agent = $1", [agent]);
    expect((await freeze(agent)).body.code).toBe("nothing_changed");
    await change(agent, { description: "Other." });
    expect((await freeze(agent)).status).toBe(201);
    await change(agent, { description: definition.description });
    expect((await freeze(agent)).body).toMatchObject({ version: 3, digest: first.digest });
  });

  it("freezes nothing of an archived agent", async () => {
    const agent = await newAgent();
    await app.pool.query("update agents set archived_at = now() where name = $1", [agent]);
    expect((await freeze(agent)).body.code).toBe("agent_archived");
  });

  it("freezes the draft whose ETag was named, and no other", async () => {
    const agent = await newAgent();
    const etag = await etagOf(agent);
    await change(agent, { description: "Somebody else's." });
    const stale = await freeze(agent, {}, { headers: { "if-match": etag } });
    expect([stale.status, stale.body.code]).toEqual([412, "stale_revision"]);
    expect((await app.call("GET", `/v1/agents/${agent}/versions`)).body.data).toEqual([]);
    expect((await freeze(agent, {}, { headers: { "if-match": await etagOf(agent) } })).status).toBe(201);
  });

  it.each([
    ["named by its ETag", 412, (etag: string) => ({ "if-match": etag })],
    ["of any revision", 201, () => ({ "if-match": "*" })],
    ["without If-Match", 201, () => ({})],
  ])(
    "compares a draft %s once more under the agent's lock: %i where it changes meanwhile",
    async (_what, status, headersOf) => {
      const agent = await newAgent();
      const headers = headersOf(await etagOf(agent));
      const other = await app.pool.connect();
      try {
        await other.query("begin");
        await other.query("update agents set revision = revision + 1 where name = $1", [agent]);
        const freezing = freeze(agent, {}, { headers });
        await expect.poll(() => waiting('%from "agents"%for update%'), { timeout: 20_000 }).toBe(1);
        await other.query("commit");
        expect((await freezing).status).toBe(status);
      } finally {
        other.release();
      }
    },
  );

  it("makes one version of several calls at once", async () => {
    const agent = await newAgent();
    const all = await Promise.all(Array.from({ length: 8 }, () => freeze(agent)));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect((await app.call("GET", `/v1/agents/${agent}/versions`)).body.data).toHaveLength(1);
  });
});

describe("listing versions", () => {
  it("answers them newest first, page by page, each as it stands in the environment of the key", async () => {
    const agent = await newAgent();
    for (const description of ["one", "two", "three"]) {
      await change(agent, { description });
      await freeze(agent, { note: description });
    }
    const first = await app.call("GET", `/v1/agents/${agent}/versions?limit=2`);
    expect(first.body.data.map(({ version, note }: { version: number; note: string }) => [version, note])).toEqual([
      [3, "three"],
      [2, "two"],
    ]);
    const second = await app.call("GET", `/v1/agents/${agent}/versions?limit=2&cursor=${first.body.next_cursor}`);
    expect([second.body.data.map(({ version }: { version: number }) => version), second.body.has_more]).toEqual([
      [1],
      false,
    ]);
    const foreign = await app.call("GET", `/v1/agents/sales/versions?limit=2&cursor=${first.body.next_cursor}`);
    expect(foreign.body.code).toBe("invalid_cursor");
  });

  it("says what the gate says and what is live in the environment of the key", async () => {
    const versionIn = async (environment: "development" | "staging") =>
      (await app.call("GET", "/v1/agents/sales/versions", { environment })).body.data[0];
    expect(await versionIn("staging")).toMatchObject({ version: 1, deployed: false, verdict: { state: "missing" } });
    await app.verdict("failed", "staging");
    expect((await versionIn("staging")).verdict).toEqual({
      state: "failed",
      reasons: ["arranged"],
      expires_at: expect.any(String),
    });
    await app.verdict("open", "staging", new Date(Date.now() - 1000));
    expect((await versionIn("staging")).verdict.state).toBe("expired");
    expect(await versionIn("development")).toMatchObject({ deployed: true, verdict: { state: "missing" } });
  });
});

describe("reading a version", () => {
  it("answers its definition, and with `diff` what is different from another one", async () => {
    const agent = await newAgent();
    await freeze(agent);
    await change(agent, { skills: [skill("answer"), skill("ask")], instructions: "One.\nTwo.\n" });
    await freeze(agent);
    const plain = (await app.call("GET", `/v1/agents/${agent}/versions/2`)).body;
    expect(plain).toMatchObject({
      version: 2,
      based_on: 1,
      labels: [],
      diff: null,
      definition: { instructions: "One.\nTwo.\n" },
    });
    const { diff } = (await app.call("GET", `/v1/agents/${agent}/versions/2?diff=1`)).body;
    expect(diff).toMatchObject({
      identical: false,
      after_digest: plain.digest,
      effect: { overall: "prompt_or_tool_change" },
    });
    expect(
      diff.changes.map(({ pointer, kind }: { pointer: string; kind: string }) => `${kind} ${pointer}`).sort(),
    ).toEqual(["added /instructions", "added /skills/1"]);
    const back = (await app.call("GET", `/v1/agents/${agent}/versions/1?diff=2`)).body.diff;
    expect(back.changes.map(({ kind }: { kind: string }) => kind)).toEqual(["removed", "removed"]);
    expect((await app.call("GET", `/v1/agents/${agent}/versions/2?diff=2`)).body.diff).toMatchObject({
      identical: true,
      changes: [],
    });
  });

  it.each([
    ["/versions/9", 404, "not_found"],
    ["/versions/0", 404, "not_found"],
    ["/versions/01", 404, "not_found"],
    ["/versions/1.0", 404, "not_found"],
    ["/versions/99999999999999999999", 404, "not_found"],
    ["/versions/1?diff=9", 404, "not_found"],
    ["/versions/1?diff=first", 400, "invalid_parameter"],
    ["/versions/1?diff=0", 400, "invalid_parameter"],
    ["/versions/1?diff=99999999999", 400, "invalid_parameter"],
  ])("answers to %s", async (path, status, code) => {
    const answered = await app.call("GET", `/v1/agents/sales${path}`);
    expect([answered.status, answered.body.code]).toEqual([status, code]);
  });

  it("gives a file that makes the draft what the version is, labels included", async () => {
    const agent = await newAgent({ ...definition, labels: ["care"] });
    await freeze(agent);
    await change(agent, { description: "Other." });
    const { text, headers } = await app.call("GET", `/v1/agents/${agent}/versions/1`, {
      headers: { accept: "application/yaml" },
    });
    expect(headers.get("content-type")).toBe("application/yaml");
    const { headers: read } = await app.call("GET", `/v1/agents/${agent}`);
    const restored = await app.call("PATCH", `/v1/agents/${agent}`, {
      body: text,
      headers: { "content-type": "application/yaml", "if-match": read.get("etag") as string },
    });
    expect([restored.status, restored.body.labels, restored.body.definition.description]).toEqual([
      200,
      ["care"],
      "Answers.",
    ]);
    expect((await freeze(agent)).body.code).toBe("nothing_changed");
  });

  it("shows a key that is narrowed to agents the versions of these only", async () => {
    const agent = await newAgent();
    await freeze(agent);
    const issued = await app.call("POST", "/v1/admin/keys", {
      body: { name: "narrow", role: "viewer", agents: [agent] },
    });
    const read = (path: string) => app.call("GET", path, { key: issued.body.key });
    expect((await read(`/v1/agents/${agent}/versions/1`)).status).toBe(200);
    expect((await read("/v1/agents/sales/versions/1")).status).toBe(403);
    expect((await read("/v1/agents/sales/versions")).status).toBe(403);
  });
});
