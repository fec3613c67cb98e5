import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timestamp } from "../kernel/clock.ts";
import { recordedNames } from "../kernel/former-actions.ts";
import type { PolicyFacts } from "../kernel/operation.ts";
import type { Principal } from "../kernel/principal.ts";
import type { RedactDemand } from "../kernel/verdict.ts";
import { compiled } from "./compliance/fixtures.ts";
import { lacksInput, largestInput, recordedContext, restoreContext } from "./replay-context.ts";
import type { Reached } from "./stages.ts";
import { caller, createTestMachine, madeOperations, salesFacts, testScope } from "./testing.ts";

const task = "tsk_01jd8x0000000000000000000c";
const now = Date.UTC(2026, 0, 2, 9, 30, 1, 7);
const admin: Principal = {
  kind: "member",
  id: "mbr_1",
  role: "admin",
  keyId: "key_1",
  scopes: null,
  agents: null,
  personal: false,
  issuers: [],
};

interface Case {
  readonly facts: PolicyFacts;
  readonly principal: Principal;
  readonly address: string | null;
  readonly inputOf: boolean;
  readonly action?: string;
  readonly redact?: RedactDemand;
  readonly keepsInput?: () => boolean;
}

/** A call as far as its context goes, what policies saw of it, and what is stored of that. */
function stored(
  { facts, principal, address, inputOf, action = "task.dispatch", redact, keepsInput }: Case,
  allowed = true,
) {
  const key = {
    id: principal.keyId,
    ...(principal.scopes ? { scopes: principal.scopes } : {}),
    ...(address === null ? {} : { address }),
  };
  const seen = {
    action,
    environment: testScope.environment,
    now,
    principal: { id: principal.id, kind: principal.kind, role: principal.role ?? "none" },
    ...(principal.keyId === null ? {} : { key }),
    ...facts,
  };
  const reached = {
    ...{
      policyContext: seen,
      redact: redact ?? null,
      facts,
      principal,
      call: { address },
      dryRun: false,
      input: {},
    },
    spec: { compliance: { action, ...(inputOf ? { inputOf: "task" } : {}), ...(keepsInput ? { keepsInput } : {}) } },
  } as unknown as Reached;
  return { seen, text: recordedContext(reached, { object: `task:${task}`, task }, allowed) as string };
}

const record = ({ id, keyId }: Principal) => ({
  environment: "production",
  principal: id,
  key_id: keyId,
  time: timestamp(now),
});
const taskRow = ({ input, trust, risk }: PolicyFacts) => ({
  input: JSON.stringify(input),
  trust: JSON.stringify({ ...trust, parts: { prior: 1 }, digest: "d" }),
  risk: JSON.stringify({ ...risk, inputs: { data: "public" }, floors: [], lower: null }),
});

const texts = fc.string({ unit: "binary", maxLength: 12 });
const principals: fc.Arbitrary<Principal> = fc.record({
  kind: fc.constantFrom("member", "service_account", "system"),
  id: texts,
  role: fc.constantFrom("admin", "operator", null),
  keyId: fc.option(texts),
  scopes: fc.option(fc.array(texts, { maxLength: 3 })),
  agents: fc.constant(null),
  personal: fc.boolean(),
  issuers: fc.array(texts, { maxLength: 2 }),
});
const numbers = fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0);
const groups = fc.record(
  {
    agent: fc.record({ name: texts, labels: fc.array(texts, { maxLength: 3 }) }, { noNullPrototype: true }),
    version: fc.record({ number: fc.nat(), id: texts }, { noNullPrototype: true }),
    skill: fc.record({ name: texts }, { noNullPrototype: true }),
    tool: fc.record({ name: texts, effect: fc.constantFrom("read", "write") }, { noNullPrototype: true }),
    model: fc.record({ name: texts }, { noNullPrototype: true }),
    spend: fc.dictionary(fc.constantFrom("task_usd", "agent_day_usd"), numbers, { noNullPrototype: true }),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const work = fc.record(
  {
    input: fc.dictionary(texts, fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true }),
    risk: fc.record({ level: texts, score: numbers, impact: numbers, likelihood: numbers }, { noNullPrototype: true }),
    trust: fc.record({ score: numbers, low: numbers, high: numbers }, { noNullPrototype: true }),
  },
  { noNullPrototype: true },
);
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("the context beside a record", () => {
  it("is put together again exactly as policies saw it, whatever the call and wherever its input stands", () => {
    fc.assert(
      fc.property(
        groups,
        work,
        principals,
        fc.option(texts),
        fc.boolean(),
        fc.boolean(),
        (others, own, principal, address, inputOf, allowed) => {
          const facts = { ...others, ...own } as PolicyFacts;
          const { seen, text } = stored({ facts, principal, address, inputOf }, allowed);
          expect(restoreContext(text, record(principal), taskRow(facts))).toEqual(asJson(seen));
        },
      ),
    );
  });

  it("of a dispatch is short: no input, no risk, no trust, and nothing that the record says", () => {
    const { text } = stored({
      facts: { ...salesFacts, input: { lead_id: "ld_1001" } },
      principal: admin,
      address: "192.0.2.7",
      inputOf: true,
    });
    expect(text).toBe(
      `{"action":"task.dispatch","input_of":"${task}","principal":{"kind":"member","role":"admin"},"key":{"address":"192.0.2.7"},` +
        '"agent":{"name":"sales","labels":["inbound"]},"version":{"number":3,"id":"ver_01jd8x0000000000000000000b"},"skill":{"name":"qualify_lead"}}',
    );
    expect(text.length).toBeLessThan(300);
  });

  it("of a refused dispatch holds all of it, since there is no task", () => {
    const { text } = stored(
      { facts: { ...salesFacts, input: { a: 1 } }, principal: admin, address: null, inputOf: true },
      false,
    );
    expect(JSON.parse(text)).toMatchObject({ input: { a: 1 }, risk: salesFacts.risk, trust: salesFacts.trust });
    expect(text).not.toContain("input_of");
  });

  it("says that an input was too large to keep, and is whole but for it", () => {
    const of = (length: number) =>
      stored({
        facts: { ...salesFacts, input: { a: "x".repeat(length) } },
        principal: admin,
        address: null,
        inputOf: false,
      });
    expect(of(largestInput - 8).text).not.toContain("input_dropped");
    const { text: dropped, seen } = of(largestInput - 7);
    expect(dropped.length).toBeLessThan(1000);
    expect([lacksInput(dropped), lacksInput(of(1).text)]).toEqual([true, false]);
    expect(restoreContext(dropped, record(admin), null)).toEqual(asJson({ ...seen, input: undefined }));
  });

  it("keeps no input that holds what policies of the call want replaced, and every other one", () => {
    const kept = (input: Record<string, unknown>, kinds: readonly string[] | "all") =>
      !lacksInput(
        stored({ facts: { ...salesFacts, input }, principal: admin, address: null, inputOf: false, redact: { kinds } })
          .text,
      );
    const mail = { to: "ann@example.com", input_dropped: true };
    expect([kept(mail, "all"), kept(mail, ["email"]), kept(mail, ["iban"]), kept({ to: "ann" }, "all")]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it("keeps no input of which its operation says so", () => {
    const of = (keeps: boolean) =>
      stored({
        facts: { ...salesFacts, input: { a: 1 } },
        principal: admin,
        address: null,
        inputOf: false,
        keepsInput: () => keeps,
      }).text;
    expect([lacksInput(of(true)), lacksInput(of(false))]).toEqual([false, true]);
    expect(of(false)).not.toContain('"a":1');
  });

  it("names an action as it is named today, whatever it was called when it was recorded", () => {
    const text = `{"action":"stop.engage","principal":{"kind":"person","role":"admin"},"key":{}}`;
    expect(restoreContext(text, record(admin), null)).toMatchObject({ action: "kill_switch.engage" });
    expect(recordedNames(["kill_switch.engage", "task.read"])).toEqual([
      "kill_switch.engage",
      "stop.engage",
      "task.read",
    ]);
  });

  it("is no context to replay once its task is gone", () => {
    const { text } = stored({ facts: { ...salesFacts, input: {} }, principal: admin, address: null, inputOf: true });
    expect(restoreContext(text, record(admin), null)).toBeNull();
  });

  it("follows the facts: another version, skill, label or address makes another text", () => {
    const base = {
      facts: { ...salesFacts, input: {} },
      principal: { ...admin },
      address: "192.0.2.7",
      inputOf: true,
    } satisfies Case;
    const labels = salesFacts.agent.labels;
    const others: PolicyFacts[] = [
      { ...base.facts, version: { number: 4, id: "ver_2" } },
      { ...base.facts, version: { number: 5, id: "ver_2" } },
      { ...base.facts, skill: { name: "other" } },
      { ...base.facts, agent: { name: "support", labels } },
      { ...base.facts, agent: { name: "sales", labels: ["eu"] } },
    ];
    const made = [base.facts, ...others, base.facts].map((facts) => stored({ ...base, facts }).text);
    expect(new Set(made).size).toBe(others.length + 1);
    expect(made.at(-1)).toBe(made[0]);
    expect(stored({ ...base, address: "192.0.2.8" }).text).toContain("192.0.2.8");
  });
});

describe("the records of calls", () => {
  const operations = madeOperations({ replay: async () => ({ bodyDigest: "-", output: { ok: true } }) });
  const contexts = async (
    query = "",
    key: string | null = null,
    arrange: (test: ReturnType<typeof createTestMachine>) => void = () => undefined,
  ) => {
    const test = createTestMachine();
    arrange(test);
    await caller(test, Object.values(operations)).call(operations.grouped, { query, idempotencyKey: key });
    return test.drafts.map(({ context, code }) => [code, context === null ? null : (JSON.parse(context) as object)]);
  };

  it("carry what policies saw, also where one of them refused", async () => {
    expect(await contexts()).toMatchObject([[null, { action: "task.dispatch", input_of: task }]]);
    const denying = await contexts("", null, (test) => {
      test.policies = [compiled()];
    });
    expect(denying).toMatchObject([
      ["policy_blocked", { action: "task.dispatch", input: {}, agent: { name: "sales" } }],
    ]);
  });

  it("of dry runs, of repetitions and of calls that ended before compliance carry none", async () => {
    expect(await contexts("dry_run=true")).toEqual([[null, null]]);
    expect(await contexts("nonsense=1")).toEqual([["invalid_parameter", null]]);
    const lost = await contexts("", "k", (test) => {
      test.append = async (rows) => (test.written.push(rows) === 1 ? "lost" : "written");
    });
    expect(lost).toMatchObject([
      [null, { input_of: task }],
      [null, null],
    ]);
  });
});
