import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import type { Demand } from "../kernel/budget.ts";
import type { Charge } from "../kernel/ledger.ts";
import { openToAll } from "../kernel/narrowing.ts";
import { defineAppend, defineOperation, defineRead, exempt, governs, type Operation } from "../kernel/operation.ts";
import { caller, createTestMachine, salesFacts } from "./testing.ts";

const output = Type.Object({ ok: Type.Boolean() });
const base = {
  summary: "Test",
  output,
  example: { output: { ok: true } },
  permission: "tasks:read",
  audit: "test",
  load: exempt("names no object"),
  narrowing: openToAll("a test"),
} as const;
const spends = (demand: Demand) =>
  governs("task.dispatch", () => salesFacts, {
    spends: () => ({ agent: "sales", keyId: "key_1", principal: "mbr_1", demand }),
  });
const demand = { tasks: 1, usd: 0.5, tokens: 900, price: "a list" } as const;
let kept: Charge | null = null;

const path = { method: "POST", path: "/v1/test", gate: exempt("a test"), decides: exempt("a test") } as const;
const writes = (id: string, handle: (ctx: never) => { ok: boolean }): Operation =>
  defineOperation({ ...base, ...path, id, compliance: spends(demand), handle: async (ctx) => handle(ctx as never) });
const operations = {
  whole: writes("test.whole", () => ({ ok: true })),
  told: writes("test.told", (ctx: { spent(actual: Demand): void }) => {
    ctx.spent({ tokens: 12, usd: 0.0000011 });
    return { ok: true };
  }),
  kept: writes("test.kept", (ctx: { keepCharge(step: string): Charge | null }) => {
    kept = ctx.keepCharge("stp_1");
    return { ok: true };
  }),
  fails: writes("test.broken", () => {
    throw new Error("It does not work.");
  }),
  free: defineOperation({
    ...base,
    ...path,
    id: "test.free",
    compliance: spends({ tasks: 1 }),
    handle: async () => ({ ok: true }),
  }),
  grouped: defineAppend({
    ...base,
    id: "test.grouped",
    path: "/v1/test",
    gate: exempt("a test"),
    decides: exempt("a test"),
    compliance: spends(demand),
    replay: async () => ({ bodyDigest: "-", keyId: null, output: { ok: true } }),
    handle: () => ({ ok: true }),
  }),
  read: defineRead({
    ...base,
    id: "test.read",
    path: "/v1/test",
    compliance: spends(demand),
    handle: async (ctx) => {
      ctx.spent({ tokens: 3, usd: 0.25 });
      return { ok: true };
    },
  }),
} satisfies Record<string, Operation>;

/** Calls one of them; answers what it wrote into the ledger, and how its reservation ended. */
async function called(name: keyof typeof operations, query = "") {
  const test = createTestMachine();
  const { call } = caller(test, Object.values(operations));
  await call(operations[name], { query });
  const entries = test.written.flatMap(({ rows }) =>
    rows.flatMap(({ table, row }) => (table.table === "ledger_entries" ? [row] : [])),
  );
  return { test, entries, ends: test.ends };
}

describe("a call that spends", () => {
  it.each(["whole", "grouped"] as const)("is charged with its record what it reserved: %s", async (name) => {
    const { test, entries } = await called(name);
    const id = test.written[0]?.record.id;
    expect(entries).toEqual([
      expect.objectContaining({
        id,
        operation: `test.${name}`,
        agent: "sales",
        principal: "mbr_1",
        key_id: "key_1",
        price: "a list",
        reserved: 500_000,
        spent: 500_000,
        released: 0,
        tokens: 900,
        step_id: null,
      }),
    ]);
  });

  it("is charged what it says that it used, rounded up to a millionth, and what it did not use is released", async () => {
    expect((await called("told")).entries).toMatchObject([
      { reserved: 500_000, spent: 2, released: 499_998, tokens: 12 },
    ]);
    expect((await called("read")).entries).toMatchObject([{ spent: 250_000, released: 250_000, tokens: 3 }]);
  });

  it("is charged once, when the work is over that outlives it", async () => {
    const { test, entries, ends } = await called("kept");
    expect([entries, ends]).toEqual([[], []]);
    await kept?.settle({ tokens: 40, usd: 0.1 });
    await kept?.settle({ tokens: 40, usd: 0.1 });
    expect(test.entries).toMatchObject([
      { operation: "test.kept", step_id: "stp_1", spent: 100_000, released: 400_000 },
    ]);
    expect(test.ends).toHaveLength(1);
  });

  it("is charged nothing where it fails, and where it is only tried", async () => {
    expect(await called("fails")).toMatchObject({ entries: [], ends: ["release"] });
    expect(await called("whole", "dry_run=true")).toMatchObject({ entries: [], ends: ["release"] });
  });

  it("has no entry where it takes neither money nor tokens", async () => {
    expect(await called("free")).toMatchObject({ entries: [], ends: ["settle"] });
  });
});
