import { verifyRecordProof } from "@aos/proof";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type Role, roles } from "../../../kernel/principal.ts";
import { useSharedApp } from "../../../testing/shared-app.ts";

// A call that nobody could be found responsible for belongs to no environment: its record stands in the log of the installation.

const app = useSharedApp();
const production = { environment: "production" } as const;
let ref: string;

const anonymousCall = async (path = "/v1/agents/sales"): Promise<string> => {
  const answered = await app.call("GET", path, { key: null });
  expect(answered.status).toBe(401);
  return answered.headers.get("audit-ref") as string;
};
const keyOf = async (body: object): Promise<string> => {
  const issued = await app.call("POST", "/v1/admin/keys", { ...production, body: { name: "narrow", ...body } });
  expect(issued.status, issued.text).toBe(201);
  return issued.body.key;
};
const addresses = (): string[] => [
  `/v1/audit/events/${ref}`,
  `/v1/audit/events/${ref}/proof`,
  "/v1/audit/events?log=installation",
  "/v1/audit/checkpoint?log=installation",
];
const statuses = async (options: object) =>
  Promise.all(addresses().map(async (where) => (await app.call("GET", where, options)).status));

beforeAll(async () => {
  ref = await anonymousCall();
});

describe("the record of a 401", () => {
  it.each(["auditor", "admin"] as const)(
    "is shown to an %s of production, who was given its Audit-Ref",
    async (key) => {
      const { status, body } = await app.call("GET", `/v1/audit/events/${ref}`, { ...production, key });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        audit_ref: ref,
        actor: "anonymous",
        action: "agents.readAgent",
        status: 401,
        decision: "refused",
        stage: "permissions",
        commitments: { address: expect.stringMatching(/^[0-9a-f]{64}$/) },
      });
      expect(JSON.stringify(body)).not.toContain("127.0.0.1");
      expect((await app.app.logKeys()).split("\n")).toContain(body.log_key);
      expect(body.log_key).toMatch(/^[a-z]+\/default\/installation\+/);
    },
  );

  it("has a proof that verifies with the keys that the service writes down", async () => {
    const { status, text } = await app.call("GET", `/v1/audit/events/${ref}/proof`, { ...production, key: "auditor" });
    expect(status).toBe(200);
    const verdict = await verifyRecordProof(text, await app.app.logKeys());
    expect(verdict).toMatchObject({ verified: true, record: { id: ref, status: 401, environment: "installation" } });
  });

  it("is found in the list of the installation's log, whose head covers it", async () => {
    // 401s of one address within a second share a record.
    const other = await vi.waitFor(
      async () => {
        const fresh = await anonymousCall("/v1/tasks");
        expect(fresh).not.toBe(ref);
        return fresh;
      },
      { timeout: 5_000 },
    );
    const list = async (query: string) =>
      (await app.call("GET", `/v1/audit/events?log=installation${query}`, { ...production, key: "auditor" })).body;
    await app.call("GET", `/v1/audit/events/${other}/proof`, production);
    const { data } = await list("&limit=100&decision=refused&stage=permissions");
    const refs = data.map(({ audit_ref }: { audit_ref: string }) => audit_ref);
    expect(refs).toEqual(expect.arrayContaining([other, ref]));
    expect(
      data.every(({ actor, status }: { actor: string; status: number }) => actor === "anonymous" && status === 401),
    ).toBe(true);
    const first = await list("&limit=1");
    const next = await list(`&limit=1&cursor=${first.next_cursor}`);
    expect([first.data[0].audit_ref, next.data[0].audit_ref]).toEqual(refs.slice(0, 2));
    const head = await app.call("GET", "/v1/audit/checkpoint?log=installation", { ...production, key: "auditor" });
    expect(head.text).toMatch(/^[a-z]+\/default\/installation\n\d+\n/);
    expect(Number(head.text.split("\n")[1])).toBeGreaterThanOrEqual(refs.length);
    const environments = (await app.call("GET", "/v1/audit/events?limit=100", production)).body.data;
    expect(environments.map(({ audit_ref }: { audit_ref: string }) => audit_ref)).not.toContain(ref);
  });
});

describe("the log of the installation", () => {
  it("is closed to every other role and environment: its records are absent, and asking for it is refused", async () => {
    const others = roles.filter((role: Role) => role !== "auditor" && role !== "admin");
    for (const key of others) expect(await statuses({ ...production, key }), key).toEqual([403, 403, 403, 403]);
    for (const environment of ["development", "staging"] as const)
      for (const key of ["auditor", "admin"] as const)
        expect(await statuses({ environment, key }), `${environment} ${key}`).toEqual([404, 404, 403, 403]);
    expect(await statuses({ key: null })).toEqual([401, 401, 401, 401]);
  });

  it("is closed to keys that are narrowed to agents, and open to one that is narrowed to reading the audit log", async () => {
    const narrowed = await keyOf({ role: "auditor", agents: ["sales"] });
    expect(await statuses({ key: narrowed })).toEqual([404, 404, 403, 403]);
    expect(await statuses({ key: await keyOf({ role: "auditor", scopes: ["audit:read"] }) })).toEqual([
      200, 200, 200, 200,
    ]);
  });

  it("says who may read it", async () => {
    const { body } = await app.call("GET", "/v1/audit/events?log=installation", { key: "admin" });
    expect(body).toMatchObject({
      code: "insufficient_scope",
      detail: expect.stringMatching(/key of production.*auditor or admin/),
    });
  });
});
