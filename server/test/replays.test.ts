import { describe, expect, it } from "vitest";
import { type CallOptions, useApp } from "../src/testing/app.ts";

// What a repetition with the same Idempotency-Key answers, and to whom.

const app = useApp();

/** A second key of the same member. */
const secondKey = async (secret: string, body: Record<string, unknown> = {}): Promise<string> => {
  const issued = await app.call("POST", "/v1/admin/keys", {
    key: secret,
    body: { name: "second", role: "admin", ...body },
  });
  expect(issued.status, issued.text).toBe(201);
  return issued.body.key;
};
const stagesOf = async (reference: string | null) => {
  const { rows } = await app.pool.query("select body from audit_records where id = $1", [reference]);
  return JSON.parse(rows[0].body).stages as { stage: string; verdict: string; reasons: string[] }[];
};
const dispatch = (options: CallOptions) =>
  app.call("POST", "/v1/agents/sales/tasks", {
    body: { task: "qualify_lead", lead_id: "ld_1001", require_approval: true },
    ...options,
  });
const issue = (options: CallOptions) =>
  app.call("POST", "/v1/admin/keys", { body: { name: "made", role: "viewer" }, ...options });

describe("an Idempotency-Key", () => {
  it("of one key of a member means nothing to the member's other key, narrowed or not", async () => {
    const { secret } = await app.member("admin");
    const narrowed = await secondKey(secret, { scopes: ["admin:write"], agents: ["other"] });
    const second = await secondKey(secret);
    const headers = { "idempotency-key": "the same words" };
    const first = await issue({ key: secret, headers });
    const stolen = await issue({ key: narrowed, headers });
    expect(stolen.text).not.toContain(first.body.key);
    expect(stolen.headers.get("idempotent-replayed")).toBeNull();
    const own = await issue({ key: second, headers });
    expect([own.status, own.headers.get("idempotent-replayed")]).toEqual([201, null]);
    expect(own.body.key_id).not.toBe(first.body.key_id);
  });

  it.each([
    [
      "a dispatch, which is written in a group",
      "/v1/agents/sales/tasks",
      { task: "qualify_lead", lead_id: "ld_1001", require_approval: true },
    ],
    [
      "a batch",
      "/v1/tasks/batch",
      { items: [{ agent: "sales", task: "qualify_lead", lead_id: "ld_1001", require_approval: true }] },
    ],
  ])("of %s belongs to its key alone", async (_what, path, body) => {
    const { secret } = await app.member("admin");
    const [second, headers] = [await secondKey(secret), { "idempotency-key": "one order" }];
    const answers = [];
    for (const key of [secret, secret, second]) answers.push(await app.call("POST", path, { key, body, headers }));
    const [first, again, other] = answers;
    expect(again?.body).toEqual(first?.body);
    expect(other?.headers.get("idempotent-replayed")).toBeNull();
    expect(JSON.stringify(other?.body)).not.toContain(JSON.stringify(first?.body).match(/tsk_\w+/)?.[0]);
  });

  it("of a session belongs to the session, not to the key that opened it nor to another session", async () => {
    const { secret } = await app.member("admin");
    const headers = { "idempotency-key": "from the portal" };
    const first = await issue({ key: secret, headers });
    const [one, two] = [await session(secret), await session(secret)];
    const bySession = await issue({ key: null, headers: { ...headers, ...one } });
    expect([bySession.status, bySession.headers.get("idempotent-replayed")]).toEqual([201, null]);
    expect(bySession.body.key_id).not.toBe(first.body.key_id);
    const again = await issue({ key: null, headers: { ...headers, ...one } });
    expect([again.body.key_id, again.headers.get("idempotent-replayed")]).toEqual([bySession.body.key_id, "true"]);
    expect((await issue({ key: null, headers: { ...headers, ...two } })).body.key_id).not.toBe(bySession.body.key_id);
  });
});

/** The headers by which a new session of the portal calls. */
async function session(key: string): Promise<Record<string, string>> {
  const opened = await app.call("POST", "/auth/session", { key: null, body: { key } });
  expect(opened.status, opened.text).toBe(200);
  const cookie = (opened.headers.get("set-cookie") as string).split(";")[0] as string;
  return { cookie, "x-csrf-token": opened.body.csrf };
}

describe("a repetition", () => {
  it("of a call that was refused is a call of its own: only success is stored", async () => {
    const { secret } = await app.member("admin");
    const headers = { "idempotency-key": "too early" };
    const policy = await app.policy({
      scope: { actions: ["task.dispatch", "key.issue"] },
      when: "true",
      effect: "deny",
    });
    for (const send of [dispatch, issue]) expect((await send({ key: secret, headers })).status).toBe(403);
    await app.pool.query("update policies set state = 'retired' where id = $1", [policy]);
    await app.policy({ scope: { actions: ["kill_switch.read"] }, when: "true", effect: "tag" });
    for (const send of [dispatch, issue]) {
      const { status, headers: answered } = await send({ key: secret, headers });
      expect([status < 300, answered.get("idempotent-replayed")]).toEqual([true, null]);
    }
  });

  it.each([
    ["a dispatch", dispatch, "task"],
    ["an issued key", issue, "key"],
  ])("of %s passes policies as a read, and not as the change that it was", async (_what, send, kind) => {
    const { secret, memberId } = await app.member("admin");
    const headers = { "idempotency-key": `policies of ${kind}` };
    const first = await send({ key: secret, headers });
    const who = `principal.id == "${memberId}"`;
    await app.policy({ scope: { actions: ["task.dispatch", "key.issue"] }, when: who, effect: "deny" });
    const again = await send({ key: secret, headers });
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([first.status, "true"]);
    const [permissions, gate, compliance] = await stagesOf(again.headers.get("audit-ref"));
    expect([permissions?.verdict, gate?.verdict, gate?.reasons, compliance?.reasons]).toEqual([
      "allow",
      "not_applicable",
      ["replay"],
      ["replay"],
    ]);
    const id = await app.policy({ scope: { actions: [`${kind}.read`] }, when: who, effect: "deny" });
    const refused = await send({ key: secret, headers });
    expect([refused.status, refused.body.code, refused.body.policies?.[0]?.policy]).toEqual([
      403,
      "policy_blocked",
      id,
    ]);
    expect(refused.headers.get("idempotent-replayed")).toBeNull();
  });

  it.each([
    ["a dispatch", dispatch],
    ["an issued key", issue],
  ])("of %s is refused to a key whose role no longer allows the call", async (_what, send) => {
    const { secret, keyId } = await app.member("admin");
    const headers = { "idempotency-key": "before the demotion" };
    expect((await send({ key: secret, headers })).status).toBeLessThan(300);
    await app.pool.query("update keys set role = 'viewer' where id = $1", [keyId]);
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
    await app.app.facts.refresh();
    const refused = await send({ key: secret, headers });
    expect([refused.status, refused.body.code]).toEqual([403, "insufficient_scope"]);
  });

  it("does not ask for the revision again that the change was based on", async () => {
    const created = await app.call("POST", "/v1/agents", { body: { agent: "revised", description: "One." } });
    const headers = { "idempotency-key": "a change", "if-match": created.headers.get("etag") as string };
    const change = () => app.call("PATCH", "/v1/agents/revised", { body: { description: "Two." }, headers });
    const [first, again] = [await change(), await change()];
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  });
});
