import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { describe as describeOperation, type OperationDescription } from "../src/kernel/operation-seal.ts";
import { roles } from "../src/kernel/principal.ts";
import { roleGrants } from "../src/kernel/role-permissions.ts";
import { allActions, carriesInput, isNeverDenied, readActionOf } from "../src/pipeline/compliance/actions.ts";
import { useApp } from "../src/testing/app.ts";
import { denyEach } from "./arrange.ts";
import { type Arranged, arrange, seenFromEverywhere, withMail } from "./arrangements.ts";
import { watchChanges } from "./changes.ts";
import { clientOf } from "./client.ts";
import { kindOf, options, representatives } from "./kinds.ts";
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
/** Keys of an admin that are narrowed to one scope. */
const withScope = { tasks: "", agents: "" };
/** An admin to whom a policy of its own denies each action. */
let denied: string;
let denials: ReadonlyMap<string, string>;

beforeAll(async () => {
  sdk = await sdkThroughProxy(app);
  for (const scope of ["tasks", "agents"] as const) {
    const body = { name: `reads ${scope}`, role: "admin", scopes: [`${scope}:read`] };
    withScope[scope] = (await app.call("POST", "/v1/admin/keys", { body })).body.key;
  }
  const { secret, memberId } = await app.member("admin");
  denied = secret;
  denials = await denyEach(app.pool, memberId, new Set(operations.flatMap(({ action }) => action ?? [])));
  await app.app.facts.refresh();
});
afterAll(() => sdk?.close());

const operations = publishedOperations().map(describeOperation);
const pick = (keep: (operation: OperationDescription) => boolean): [string, OperationDescription][] =>
  operations.filter(keep).map((operation) => [operation.id, operation]);

const isChange = ({ method }: OperationDescription): boolean => method !== "GET";
const isRepeatable = ({ method }: OperationDescription): boolean => method === "POST" || method === "PATCH";
/** What they name is created where it is not there. */
const creates: ReadonlySet<string> = new Set([
  "admin.setTeam",
  "approvals.setRule",
  "chat.setChannel",
  "evaluations.setScorer",
]);
/** Names an object in its path; one of the environment itself, such as its settings, is there for everybody. */
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

/** Whether the record of a call shows the input that policies were given. */
const showsInput = async (reference: string | null): Promise<boolean> => {
  const { rows } = await app.pool.query("select context::json as seen from audit_records where id = $1", [reference]);
  return ["input", "input_of", "input_dropped"].some((name) => name in (rows[0]?.seen ?? {}));
};
/** It carries an input only where people edit the call, which none of the arranged ones does. */
const edits = (action: string): boolean => action === "approval.decide";

/** A test of the operations that it applies to. */
const itWhere = (applies: boolean, title: string, test: () => Promise<void> | void): void => {
  if (applies) it(title, test);
};

describe("the registry", () => {
  it("has every id and every address once", () => {
    const addresses = operations.map(({ method, path }) => `${method} ${path?.replaceAll(/\{\w+\}/g, "{}")}`);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
    expect(new Set(addresses).size).toBe(operations.length);
  });

  it("is arranged for, operation by operation, and for nothing else", () => {
    const missing = operations.filter(({ id }) => !(id in arrange)).map(({ id }) => id);
    expect(missing, "add each to arrangements.fixture.ts in the folder of its resource").toEqual([]);
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

const everyOperation = pick(() => true);
const ofItsKind = new Set(representatives(operations).map(({ id }) => id));

describe("the kinds of operations", () => {
  it("have a representative each, and every option of a declaration has one", () => {
    const chosen = operations.filter(({ id }) => ofItsKind.has(id));
    const missing = operations.filter((operation) => !chosen.some((one) => kindOf(one) === kindOf(operation)));
    expect(missing.map(({ id }) => id)).toEqual([]);
    for (const [option, has] of Object.entries(options))
      expect([option, chosen.some(has)]).toEqual([option, operations.some(has)]);
    expect(chosen.length).toBeLessThan(operations.length / 4);
  });
});

// What each operation declares of its own. Refused calls and dry runs change nothing, so one arrangement serves them all,
// and the call that succeeds comes last.
describe.each(everyOperation)("%s", (id, operation) => {
  const { permission, action, path, params } = operation;
  let given: Promise<Arranged> | undefined;
  const { arranged, call } = walk(app, operation);
  const shared = () => {
    given ??= arranged();
    return given;
  };

  it("answers 401 without a key, challenges, and records it", async () => {
    const { status, headers } = await call(await shared(), { key: null });
    expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    // Equal refusals of one second share a record, so there is one, but maybe not one more.
    expect((await countRecords(app, headers.get("audit-ref"))).named).toBe(1);
  });

  itWhere(typeof permission === "string", "answers 403 to a key that is narrowed to another scope", async () => {
    const { status, body } = await call(await shared(), {
      key: permission === "tasks:read" ? withScope.agents : withScope.tasks,
    });
    expect([status, body.code, body.missing_scope]).toEqual([403, "insufficient_scope", permission]);
  });

  itWhere(names(operation), "answers 404 where the path names nothing, and from another environment", async () => {
    const { body } = await shared();
    const nobody = Object.fromEntries(Object.keys(params?.properties ?? {}).map((name) => [name, "nobody"]));
    expect([path, (await call({ params: nobody, body })).status]).toEqual([path, 404]);
    if (id in seenFromEverywhere)
      expect((await call(await arranged(), { environment: "staging" })).status).not.toBe(404);
    else expect((await call(await shared(), { environment: "staging" })).status).toBe(404);
  });

  itWhere(operation.needsRevision, "answers 428 without If-Match, and changes nothing", async () => {
    const { headers, ...without } = await shared();
    expect(headers, "arranged with the revision that the change is based on").toHaveProperty("if-match");
    const changes = await watchChanges(app);
    const { status, body } = await call(without);
    expect([status, body.code]).toEqual([428, "precondition_required"]);
    expect(await changes()).toEqual([]);
  });

  itWhere(
    operation.needsRevision || operation.takesRevision,
    "answers 412 with If-Match of another revision, changes nothing, and writes exactly one record of it",
    async () => {
      const stale = await shared();
      const [changes, before] = [await watchChanges(app), await countRecords(app)];
      const { status, body } = await call(stale, { headers: { "if-match": '"of-another-revision"' } });
      expect([status, body.code]).toEqual([412, "stale_revision"]);
      expect(await changes()).toEqual([]);
      expect((await countRecords(app)).all).toBe(before.all + 1);
    },
  );

  itWhere(
    action !== null && !isNeverDenied(action),
    "answers 403 where a policy denies its action, and changes nothing",
    async () => {
      const refused = await shared();
      const changes = await watchChanges(app);
      const { status, body } = await call(refused, { key: denied });
      const policy = denials.get(action as string);
      expect([status, body.code, body.policies?.[0]?.policy]).toEqual([403, "policy_blocked", policy]);
      expect(await changes(["events", "violations", "analytics_pending"])).toEqual([]);
    },
  );

  itWhere(
    isChange(operation),
    "changes nothing on dry_run, says what would happen, and writes exactly one record of it",
    async () => {
      const tried = await shared();
      const [changes, before] = [await watchChanges(app), await countRecords(app)];
      const headers = isRepeatable(operation) ? { "idempotency-key": "dry" } : {};
      const answered = ofItsKind.has(id)
        ? await sdk.call(operation, tried, { dryRun: true, headers })
        : await call(tried, { query: "?dry_run=true", headers });
      expectDryRun(operation, answered);
      expect(await changes()).toEqual([]);
      expect(await countRecords(app, answered.headers.get("audit-ref"))).toEqual({
        all: before.all + recordsOf(operation, tried, true),
        named: 1,
      });
    },
  );

  it("answers the SDK as declared, writes exactly one record of it, and shows policies the input that its action carries", async () => {
    const accepted = await shared();
    const before = await countRecords(app);
    const answered = await sdk.call(operation, accepted);
    expectDeclaredAnswer(operation, answered);
    const reference = answered.headers.get("audit-ref");
    expect(await countRecords(app, reference)).toEqual({
      all: before.all + recordsOf(operation, accepted),
      named: 1,
    });
    if (action !== null) expect(await showsInput(reference)).toBe(carriesInput(action) && !edits(action));
  });

  itWhere(isRepeatable(operation), "has its repetition judged by an action that policies can name", () => {
    if (action !== null) expect(allActions()).toContain(readActionOf(action));
  });
});

describe.each(pick(({ action }) => action !== null && isNeverDenied(action)))("%s", (_id, operation) => {
  it("is not denied by any policy", async () => {
    const { arranged, call } = walk(app, operation);
    expectDeclaredAnswer(operation, await call(await arranged(), { key: denied }));
  });
});

// What the pipeline does alike for all operations of a kind.
describe.each(pick(({ id }) => ofItsKind.has(id)))("%s, of its kind", (_id, operation) => {
  const { permission, action } = operation;
  const { arranged, call } = walk(app, operation);
  let given: Promise<Arranged> | undefined;
  const shared = () => {
    given ??= arranged();
    return given;
  };

  it("answers 400 to an unknown query parameter, suggests the nearest, and writes exactly one record of it", async () => {
    const { query, parameter, suggested } = badQuery(operation);
    const asked = await shared();
    const before = await countRecords(app);
    const { status, headers, body } = await call(asked, { query });
    expect([status, body.code, body.errors[0].parameter]).toEqual([400, "invalid_parameter", parameter]);
    if (suggested !== null) expect(body.detail).toContain(`\`${suggested}\``);
    expect(await countRecords(app, headers.get("audit-ref"))).toEqual({ all: before.all + 1, named: 1 });
  });

  itWhere(
    typeof permission === "string",
    "answers 403 to every role and scope that lacks its permission, naming it, and writes exactly one record of it",
    async () => {
      const asked = await shared();
      const lacking = roles.filter((one) => !roleGrants(one, permission as string));
      for (const key of [...lacking, permission === "tasks:read" ? withScope.agents : withScope.tasks]) {
        const before = await countRecords(app);
        const { status, headers, body } = await call(asked, { key });
        expect([status, body.code, body.missing_scope]).toEqual([403, "insufficient_scope", permission]);
        expect(await countRecords(app, headers.get("audit-ref"))).toEqual({ all: before.all + 1, named: 1 });
      }
    },
  );

  if (names(operation))
    it.each(["tsk_01jd8x0000000000000000000a", "%00", "a".repeat(200)])(
      "answers 404 where the path names %j",
      async (text) => {
        const { body } = await shared();
        const params = Object.fromEntries(Object.keys(operation.params?.properties ?? {}).map((name) => [name, text]));
        expect((await call({ params, body })).status).toBe(404);
      },
    );

  itWhere(isChange(operation), "answers 422 to a body that breaks its schema, with the place", async () => {
    const { body: bad, pointer } = badBody(operation);
    const { status, body } = await call(await shared(), { body: bad });
    expect([status, body.code]).toEqual([422, "invalid_body"]);
    expect(body.errors.map((fault: { pointer: string }) => fault.pointer)).toContain(pointer);
  });

  itWhere(isChange(operation), "answers 400 to a body that is no JSON, and 415 to one of another type", async () => {
    const broken = await call(await shared(), { body: '{"a":1,' });
    expect([broken.status, broken.body.code]).toEqual([400, "malformed_body"]);
    const other = await call(await shared(), { body: "a: 1", headers: { "content-type": foreignType(operation) } });
    expect([other.status, other.body.code]).toEqual([415, "unsupported_media_type"]);
  });

  itWhere(action !== null && !isNeverDenied(action), "tells where a policy denies it", async () => {
    const { body } = await call(await shared(), { key: denied });
    const { rows } = await app.pool.query("select body from events where type = 'policy.blocked' and body like $1", [
      `%${body.audit_ref}%`,
    ]);
    expect(rows).toHaveLength(1);
    expect(await violationsOf(body.audit_ref)).toEqual([denials.get(action as string)]);
  });
});

describe.each(
  pick((operation) => isRepeatable(operation) && (ofItsKind.has(operation.id) || operation.secret !== undefined)),
)("%s, repeated", (id, operation) => {
  it("answers as the first time, changes nothing, records it, and takes the key for no other body", async () => {
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
    const { status, body } = await call(given, { headers, body: `${JSON.stringify(given.body)} ` });
    expect([status, body.code]).toEqual([422, "idempotency_key_reused"]);
  });
});

// Last: with an agent in production an installation lets development do less.
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
