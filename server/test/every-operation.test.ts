import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { describe as describeOperation, type OperationDescription } from "../src/kernel/operation-seal.ts";
import { roles } from "../src/kernel/principal.ts";
import { roleGrants } from "../src/kernel/role-permissions.ts";
import { allActions, carriesInput, isNeverDenied, readActionOf } from "../src/pipeline/compliance/actions.ts";
import { useApp } from "../src/testing/app.ts";
import { arrange, seenFromEverywhere, withMail } from "./arrangements.ts";
import { watchChanges } from "./changes.ts";
import { clientOf } from "./client.ts";
import { type SdkThroughProxy, sdkThroughProxy } from "./transports.ts";
import {
  badBody,
  badQuery,
  countRecords,
  expectDeclaredAnswer,
  expectDryRun,
  foreignType,
  recordsOf,
  walk,
} from "./walk.ts";

const app = useApp(withMail);
let sdk: SdkThroughProxy;
beforeAll(async () => {
  sdk = await sdkThroughProxy(app);
});
afterAll(() => sdk?.close());

const operations = publishedOperations().map(describeOperation);
const pick = (keep: (operation: OperationDescription) => boolean): [string, OperationDescription][] =>
  operations.filter(keep).map((operation) => [operation.id, operation]);

const isChange = ({ method }: OperationDescription): boolean => method !== "GET";
const isRepeatable = ({ method }: OperationDescription): boolean => method === "POST" || method === "PATCH";
/** Names an object in its path; one of the environment itself, such as its settings, is there for everybody. */
/** What they name is created where it is not there. */
const creates: ReadonlySet<string> = new Set(["chat.setChannel", "evaluations.setScorer"]);
const names = ({ id, exemptions, path }: OperationDescription): boolean =>
  exemptions.load === undefined && path?.includes("{") === true && !creates.has(id);
/** What the record of a call that was blocked names as its reasons. */
const violationsOf = async (reference: string): Promise<string[]> => {
  const { rows } = await app.pool.query(
    "select source from violations where id = $1 and kind = 'blocked' order by source",
    [reference],
  );
  return rows.map(({ source }) => source);
};

describe("the registry", () => {
  it("has every id and every address once", () => {
    const addresses = operations.map(({ method, path }) => `${method} ${path?.replaceAll(/\{\w+\}/g, "{}")}`);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
    expect(new Set(addresses).size).toBe(operations.length);
  });

  it("is arranged for, operation by operation, and for nothing else", () => {
    const missing = operations.filter(({ id }) => !(id in arrange)).map(({ id }) => id);
    const told = missing.map((id) => `arrange ${id} in server/test/arrangements/${id.split(".")[0]}.ts`);
    expect(told).toEqual([]);
    expect(Object.keys(arrange)).toHaveLength(operations.length);
  });

  it("is what the started service has", () => {
    const served = app.app.operations.filter((operation) => describeOperation(operation).door === "http");
    expect(served.map(({ id }) => id)).toEqual(operations.map(({ id }) => id));
  });

  it("is described by the service as in the committed document", async () => {
    const committed = JSON.parse(await readFile(new URL("../../openapi/openapi.json", import.meta.url), "utf8"));
    expect((await app.call("GET", "/openapi.json", { key: null })).body).toEqual(committed);
  });
});

describe.each(pick(() => true))("%s", (_id, operation) => {
  it("answers 401 without a key, challenges, and records it", async () => {
    const { arranged, call } = walk(app, operation);
    const { status, headers } = await call(await arranged(), { key: null });
    expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    // Equal refusals of one second share a record, so there is one, but maybe not one more.
    expect((await countRecords(app, headers.get("audit-ref"))).named).toBe(1);
  });

  it("answers the SDK as declared and described, and writes exactly one record of it", async () => {
    const { arranged } = walk(app, operation);
    const given = await arranged();
    const before = await countRecords(app);
    const answered = await sdk.call(operation, given);
    expectDeclaredAnswer(operation, answered);
    expect(await countRecords(app, answered.headers.get("audit-ref"))).toEqual({
      all: before.all + recordsOf(operation, given),
      named: 1,
    });
  });

  it("answers 400 to an unknown query parameter, suggests the nearest, and writes exactly one record of it", async () => {
    const { arranged, call } = walk(app, operation);
    const { query, parameter, suggested } = badQuery(operation);
    const given = await arranged();
    const before = await countRecords(app);
    const { status, headers, body } = await call(given, { query });
    expect([status, body.code, body.errors[0].parameter]).toEqual([400, "invalid_parameter", parameter]);
    if (suggested !== null) expect(body.detail).toContain(`\`${suggested}\``);
    expect(await countRecords(app, headers.get("audit-ref"))).toEqual({ all: before.all + 1, named: 1 });
  });
});

describe.each(pick(({ permission }) => typeof permission === "string"))("%s", (_id, operation) => {
  const permission = operation.permission as string;

  it("answers 403 to every role that lacks its permission, naming it", async () => {
    const { arranged, call } = walk(app, operation);
    const given = await arranged();
    for (const role of roles.filter((one) => !roleGrants(one, permission))) {
      const { status, body } = await call(given, { key: role });
      expect([role, status, body.code, body.missing_scope]).toEqual([role, 403, "insufficient_scope", permission]);
    }
  });

  it("answers 403 to a key that is narrowed to another scope, and writes exactly one record of it", async () => {
    const { arranged, call } = walk(app, operation);
    const scope = permission === "tasks:read" ? "agents:read" : "tasks:read";
    const issued = await app.call("POST", "/v1/admin/keys", {
      body: { name: "narrowed", role: "admin", scopes: [scope] },
    });
    const given = await arranged();
    const before = await countRecords(app);
    const { status, headers, body } = await call(given, { key: issued.body.key });
    expect([status, body.code, body.missing_scope]).toEqual([403, "insufficient_scope", permission]);
    expect(await countRecords(app, headers.get("audit-ref"))).toEqual({ all: before.all + 1, named: 1 });
  });
});

describe.each(pick(names))("%s", (id, operation) => {
  it(
    id in seenFromEverywhere
      ? "sees from another environment what the organization shares"
      : "answers 404 from another environment",
    async () => {
      const { arranged, call } = walk(app, operation);
      const { status } = await call(await arranged(), { environment: "staging" });
      if (id in seenFromEverywhere) expect(status).not.toBe(404);
      else expect(status).toBe(404);
    },
  );

  it.each(["nobody", "tsk_01jd8x0000000000000000000a", "%00", "a".repeat(200)])(
    "answers 404 where the path names %j",
    async (text) => {
      const { arranged, call } = walk(app, operation);
      const { body } = await arranged();
      const params = Object.fromEntries(Object.keys(operation.params?.properties ?? {}).map((name) => [name, text]));
      expect((await call({ params, body })).status).toBe(404);
    },
  );
});

describe.each(pick(isChange))("%s", (_id, operation) => {
  it("answers 422 to a body that breaks its schema, with the place", async () => {
    const { arranged, call } = walk(app, operation);
    const { body: bad, pointer } = badBody(operation);
    const { status, body } = await call(await arranged(), { body: bad });
    expect([status, body.code]).toEqual([422, "invalid_body"]);
    expect(body.errors.map((fault: { pointer: string }) => fault.pointer)).toContain(pointer);
  });

  it("answers 400 to a body that is no JSON, and 415 to one of another type", async () => {
    const { arranged, call } = walk(app, operation);
    const given = await arranged();
    const broken = await call(given, { body: '{"a":1,' });
    expect([broken.status, broken.body.code]).toEqual([400, "malformed_body"]);
    const other = await call(given, { body: "a: 1", headers: { "content-type": foreignType(operation) } });
    expect([other.status, other.body.code]).toEqual([415, "unsupported_media_type"]);
  });

  it("changes nothing on dry_run, says what would happen, and writes exactly one record of it", async () => {
    const { arranged } = walk(app, operation);
    const given = await arranged();
    const [changes, before] = [await watchChanges(app), await countRecords(app)];
    const headers = isRepeatable(operation) ? { "idempotency-key": "dry" } : {};
    const answered = await sdk.call(operation, given, { dryRun: true, headers });
    expectDryRun(operation, answered);
    expect(await changes()).toEqual([]);
    expect(await countRecords(app, answered.headers.get("audit-ref"))).toEqual({
      all: before.all + recordsOf(operation, given, true),
      named: 1,
    });
  });
});

describe.each(pick(({ needsRevision }) => needsRevision))("%s", (_id, operation) => {
  it("answers 428 without If-Match and 412 with that of another revision, and changes nothing", async () => {
    const { arranged, call } = walk(app, operation);
    const { headers, ...given } = await arranged();
    expect(headers, "arranged with the revision that the change is based on").toHaveProperty("if-match");
    const [changes, before] = [await watchChanges(app), await countRecords(app)];
    const without = await call(given);
    expect([without.status, without.body.code]).toEqual([428, "precondition_required"]);
    const stale = await call(given, { headers: { "if-match": '"of-another-revision"' } });
    expect([stale.status, stale.body.code]).toEqual([412, "stale_revision"]);
    expect(await changes()).toEqual([]);
    expect((await countRecords(app)).all).toBe(before.all + 2);
  });
});

describe.each(pick(({ takesRevision }) => takesRevision))("%s", (_id, operation) => {
  it("answers 412 with If-Match of another revision, and changes nothing", async () => {
    const { arranged, call } = walk(app, operation);
    const given = await arranged();
    const [changes, before] = [await watchChanges(app), await countRecords(app)];
    const stale = await call(given, { headers: { "if-match": '"of-another-revision"' } });
    expect([stale.status, stale.body.code]).toEqual([412, "stale_revision"]);
    expect(await changes()).toEqual([]);
    expect((await countRecords(app)).all).toBe(before.all + 1);
  });
});

describe.each(pick(isRepeatable))("%s", (id, operation) => {
  it("answers a repetition as the first time, changes nothing by it, and records it", async () => {
    const { arranged, call } = walk(app, operation);
    const given = await arranged();
    const headers = { "idempotency-key": `repeat ${id}` };
    const first = await call(given, { headers });
    expectDeclaredAnswer(operation, first);
    const [changes, before] = [await watchChanges(app), await countRecords(app)];
    const again = await call(given, { headers });
    const { [operation.secret ?? ""]: secret, ...rest } = first.body;
    expect(typeof secret).toBe(operation.secret === undefined ? "undefined" : "string");
    expect(again.body).toEqual(operation.secret === undefined ? first.body : { ...rest, secret_withheld: true });
    expect([again.status, again.headers.get("location")]).toEqual([first.status, first.headers.get("location")]);
    expect([first.headers.get("idempotent-replayed"), again.headers.get("idempotent-replayed")]).toEqual([
      null,
      "true",
    ]);
    expect(await changes()).toEqual([]);
    expect(await countRecords(app, again.headers.get("audit-ref"))).toEqual({ all: before.all + 1, named: 1 });
  });

  it("has its repetition judged by an action that policies can name", () => {
    if (operation.action !== null) expect(allActions()).toContain(readActionOf(operation.action));
  });

  it("answers 422 where an Idempotency-Key comes again with another body", async () => {
    const { arranged, call } = walk(app, operation);
    const given = await arranged();
    const headers = { "idempotency-key": `reuse ${id}` };
    expectDeclaredAnswer(operation, await call(given, { headers }));
    const { status, body } = await call(given, { headers, body: `${JSON.stringify(given.body)} ` });
    expect([status, body.code]).toEqual([422, "idempotency_key_reused"]);
  });
});

describe.each(pick(({ action }) => action !== null))("%s", (_id, operation) => {
  const action = operation.action as string;

  it(
    isNeverDenied(action)
      ? "is not denied by any policy"
      : "answers 403 where a policy denies it, tells so, and changes nothing",
    async () => {
      const { arranged, call } = walk(app, operation);
      const { secret, memberId } = await app.member("admin");
      const id = await app.policy({
        scope: { actions: [action] },
        when: `principal.id == "${memberId}"`,
        effect: "deny",
      });
      const given = await arranged();
      const changes = await watchChanges(app);
      const answered = await call(given, { key: secret });
      if (isNeverDenied(action)) return expectDeclaredAnswer(operation, answered);
      expect([answered.status, answered.body.code, answered.body.policies[0].policy]).toEqual([
        403,
        "policy_blocked",
        id,
      ]);
      const { rows } = await app.pool.query("select body from events where type = 'policy.blocked' and body like $1", [
        `%${answered.body.audit_ref}%`,
      ]);
      expect(rows).toHaveLength(1);
      expect(await violationsOf(answered.body.audit_ref)).toEqual([id]);
      expect(await changes(["events", "violations", "analytics_pending"])).toEqual([]);
    },
  );
});

describe.each(pick(({ action }) => action !== null))("%s", (_id, operation) => {
  it("shows policies an input exactly where its action is said to carry one", async () => {
    const { arranged, call } = walk(app, operation);
    const { headers } = await call(await arranged());
    const { rows } = await app.pool.query("select context::json as seen from audit_records where id = $1", [
      headers.get("audit-ref"),
    ]);
    const shown = ["input", "input_of", "input_dropped"].some((name) => name in (rows[0]?.seen ?? {}));
    const edits = operation.action === "approval.decide"; // an input only where people edit the call, which none of the arranged ones does
    expect(shown).toBe(carriesInput(operation.action as string) && !edits);
  });
});

describe.each(pick(({ exemptions }) => exemptions.gate === undefined))("%s", (_id, operation) => {
  it("answers 409 in production while the evaluation gate is closed, tells so, and changes nothing", async () => {
    const { arranged, call } = walk(app, operation);
    await app.deploy("production");
    await app.verdict("failed", "production");
    const given = await arranged("production");
    const changes = await watchChanges(app);
    const { status, body } = await call(given, { environment: "production" });
    expect([status, body.code, body.stage]).toEqual([409, "evaluation_gate_failed", "evaluation_gate"]);
    expect(await violationsOf(body.audit_ref)).toEqual(["gate"]);
    expect(await changes(["violations", "analytics_pending"])).toEqual([]);
  });
});

describe("the validating proxy", () => {
  it("lets no request through that is not as described", async () => {
    const { status, body } = await clientOf(sdk.url, app.key("admin"))("GET", "/v1/tasks?limit=many");
    expect([status, body.title]).toEqual([422, "Invalid request"]);
  });
});

describe("the audit log", () => {
  it("goes on after everything above, whatever callers put into paths", async () => {
    const { audit_ref } = await app.dispatch();
    const find = () => app.pool.query("select from audit_leaves where record_id = $1", [audit_ref]);
    await vi.waitFor(async () => expect((await find()).rowCount).toBe(1), { timeout: 20_000, interval: 20 });
  });
});
