import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import type { BatchContext, ItemOutcome, WriteContext } from "../kernel/context.ts";
import { refuse } from "../kernel/errors.ts";
import { openToAll } from "../kernel/narrowing.ts";
import {
  defineBatch,
  defineInside,
  defineOperation,
  exempt,
  governs,
  type InsideOperation,
  type Operation,
} from "../kernel/operation.ts";
import { describe as describeOperation } from "../kernel/operation-seal.ts";
import { conflict } from "../kernel/problems.ts";
import { digest } from "./audit.ts";
import type { Call } from "./call.ts";
import { compiled } from "./compliance/fixtures.ts";
import { caller, createTestMachine, madeOperations, type TestMachine } from "./testing.ts";

const Item = Type.Object({ n: Type.Integer() });
const Body = Type.Object({ items: Type.Array(Item) });
const Output = Type.Object({
  batch_id: Type.String(),
  results: Type.Array(Type.Object({ status: Type.Integer(), body: Type.Unknown() })),
});

/** A batch of calls of `item`; `around` may stand between it and them. */
function batchOf(
  item: Operation,
  around: (ctx: BatchContext, calls: () => Promise<ItemOutcome>[]) => Promise<ItemOutcome[]> = (_ctx, calls) =>
    Promise.all(calls()),
  more: { readonly method?: "POST" | "DELETE" } = {},
) {
  return defineBatch({
    ...{
      id: "tests.batch",
      path: "/v1/tests/batch",
      ...more,
      summary: "Test",
      permission: "tasks:write",
    },
    ...{
      params: Type.Object({}),
      query: Type.Object({}),
      body: Body,
      output: Output,
      example: { output: { batch_id: "bat_1", results: [] } },
    },
    ...{
      load: exempt("names nothing"),
      narrowing: openToAll("names nothing"),
      gate: exempt("each item passes its own"),
      decides: exempt("a test"),
      compliance: governs("task.batch", () => ({})),
    },
    audit: () => ({ object: null }),
    async handle(ctx, { body }) {
      const calls = () => body.items.map((one, index) => ctx.call(item, { params: {}, body: one, index }));
      const outcomes = await around(ctx, calls);
      return { batch_id: ctx.id, results: outcomes.map(({ status, body: answered }) => ({ status, body: answered })) };
    },
  });
}

/** An operation of the service itself by which a batch writes something down. */
function insideNote(work: (ctx: WriteContext) => unknown): InsideOperation<{ n: number }, { noted: number }> {
  return defineInside({
    id: "tests.note",
    summary: "Test",
    permission: exempt("part of a batch"),
    load: exempt("names nothing"),
    gate: exempt("no version acts"),
    compliance: exempt("part of a batch"),
    audit: "notes",
    async handle(ctx, { params: { n } }: { params: { n: number } }) {
      work(ctx);
      return { noted: n };
    },
  });
}

/** An operation that wants to know the revision that a change is based on. */
const revisedItem = (revision: number) =>
  defineOperation({
    ...({
      id: "tests.change",
      method: "PUT",
      path: "/v1/changes",
      summary: "Test",
      permission: "tasks:write",
    } as const),
    body: Item,
    output: Item,
    example: { body: { n: 1 }, output: { n: 1 } },
    audit: "changes",
    load: () => ({ revision }),
    narrowing: openToAll("names nothing"),
    gate: exempt("no version acts"),
    decides: exempt("a test"),
    compliance: governs("task.batch"),
    ifMatch: (loaded: { revision: number }) => loaded.revision,
    handle: async () => ({ n: 1 }),
  });

const items = (count: number) => ({ items: Array.from({ length: count }, (_, n) => ({ n })) });

function send(
  test: TestMachine,
  operations: readonly Operation[],
  batch: Operation,
  count: number,
  key: string | null,
  members: Partial<Call> = {},
) {
  const body = items(count);
  return caller(test, operations).call(batch, {
    ...{
      idempotencyKey: key,
      readBody: () => body,
      bodyDigest: () => digest(JSON.stringify(body)),
      target: "POST /v1/tests/batch",
    },
    ...members,
  });
}

const resultsOf = (text: string) =>
  (JSON.parse(text) as { results: { status: number; body: Record<string, unknown> }[] }).results;

/** An item that remembers, as a claiming row does, which keys it has served. */
function rememberingItem(hook: (n: number) => void = () => undefined) {
  const served: number[] = [];
  const { grouped } = madeOperations({
    work: (_ctx, { n }) => {
      hook(n as number);
      served.push(n as number);
    },
  });
  return { item: grouped, served };
}

describe("a batch", () => {
  it("answers for each item in order, whatever became of it, and leaves a record of each and one of its own", async () => {
    const test = createTestMachine();
    const { item } = rememberingItem((n) => {
      if (n === 1) throw refuse(conflict, "It has ended.");
    });
    test.policies = [compiled({ when: "has(input.n) && input.n == 2" })];
    const batch = batchOf(item);
    const { answer } = await send(test, [item, batch], batch, 4, null);
    expect(answer.status).toBe(207);
    expect(resultsOf(answer.body).map(({ status, body }) => [status, body.code])).toEqual([
      [202, undefined],
      [409, "wrong_state"],
      [403, "policy_blocked"],
      [202, undefined],
    ]);
    const operations = test.written.map(({ record }) => (JSON.parse(record.body) as { operation: string }).operation);
    expect(operations.filter((id) => id === "tests.append")).toHaveLength(4);
    expect(operations.at(-1)).toBe("tests.batch");
  });

  it("gives its items its id, its caller and a target of their own, takes its own rate only, and none of its conditions", async () => {
    const test = createTestMachine();
    const seen: unknown[] = [];
    const taken: string[] = [];
    const rateLimit = {
      take: (key: string) => {
        taken.push(key);
        return { allowed: true, headers: {} };
      },
    };
    Object.assign(test.machine, { rateLimit });
    const { grouped } = madeOperations({
      work: (ctx) => {
        const { batch, principal } = ctx as unknown as { batch: string; principal: { id: string } };
        seen.push(batch, principal.id);
      },
    });
    const batch = batchOf(grouped);
    const { output } = await send(test, [grouped, batch], batch, 2, null, { ifNoneMatch: "*", prefer: "wait=5" });
    const { batch_id } = output as { batch_id: string };
    expect(batch_id).toMatch(/^bat_[0-9a-z]{26}$/);
    expect(seen).toEqual([batch_id, test.key.principal.id, batch_id, test.key.principal.id]);
    expect(taken).toEqual([test.key.principal.keyId]);
  });

  it("runs 16 items at a time, and all of them", async () => {
    const test = createTestMachine();
    const write = test.append;
    let running = 0;
    let most = 0;
    test.append = async (rows) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return write(rows);
    };
    const { item, served } = rememberingItem();
    const batch = batchOf(item);
    await send(test, [item, batch], batch, 50, null);
    expect([most, served.length]).toEqual([16, 50]);
  });

  it("runs its items dry on a dry run, and answers what would happen", async () => {
    const test = createTestMachine();
    const { item } = rememberingItem();
    const seen: number[] = [];
    const batch = batchOf(item, async (_ctx, calls) => {
      const outcomes = await Promise.all(calls());
      seen.push(...outcomes.map(({ status }) => status));
      return outcomes;
    });
    const { answer } = await send(test, [item, batch], batch, 2, "k", { query: "dry_run=true" });
    expect(JSON.parse(answer.body)).toMatchObject({ dry_run: true, response_status: 207, events: [] });
    expect(JSON.parse(answer.body).result.results).toMatchObject([{ status: 202 }, { status: 202 }]);
    expect([answer.status, seen, test.answers.size]).toEqual([200, [202, 202], 0]);
    expect(test.ends).toEqual(["release", "release"]);
  });

  it("ends after its items, even where its handler does not wait for them", async () => {
    const test = createTestMachine();
    const { item, served } = rememberingItem();
    const batch = batchOf(item, (_ctx, calls) => {
      calls();
      return Promise.reject(refuse(conflict, "It has ended."));
    });
    const { answer } = await send(test, [item, batch], batch, 20, "k");
    expect([answer.status, served.length, test.answers.size]).toEqual([409, 20, 0]);
  });
});

describe("what a batch writes down itself", () => {
  it("is written by its caller, with a record of its own, before the batch's", async () => {
    const test = createTestMachine();
    const { item } = rememberingItem();
    const seen: unknown[] = [];
    const note = insideNote((ctx) => seen.push(ctx.batch, ctx.principal.id));
    const batch = batchOf(item, async (ctx, calls) => {
      expect(await ctx.record(note, { n: 1 })).toEqual({ noted: 1 });
      return Promise.all(calls());
    });
    const { output } = await send(test, [item, note, batch], batch, 1, null);
    expect(seen).toEqual([(output as { batch_id: string }).batch_id, test.key.principal.id]);
    const operations = test.written.map(({ record }) => (JSON.parse(record.body) as { operation: string }).operation);
    expect(operations).toEqual(["tests.note", "tests.append", "tests.batch"]);
  });

  it("is left out on a dry run, and written again by a repetition that goes on", async () => {
    const test = createTestMachine();
    const { item } = rememberingItem();
    let noted = 0;
    const note = insideNote(() => ++noted);
    const answered: unknown[] = [];
    const batch = batchOf(item, async (ctx, calls) => {
      answered.push(await ctx.record(note, { n: 1 }));
      const outcomes = await Promise.all(calls());
      if (noted === 1) throw refuse(conflict, "The first one ends here.");
      return outcomes;
    });
    await send(test, [item, note, batch], batch, 1, "k", { query: "dry_run=true" });
    expect([answered, noted]).toEqual([[null], 0]);
    expect((await send(test, [item, note, batch], batch, 1, "k")).answer.status).toBe(409);
    expect((await send(test, [item, note, batch], batch, 1, "k")).answer.status).toBe(207);
    expect(noted).toBe(2);
  });

  it("refuses the batch where it is refused", async () => {
    const test = createTestMachine();
    const { item, served } = rememberingItem();
    const note = insideNote(() => {
      throw refuse(conflict, "It has ended.");
    });
    const batch = batchOf(item, async (ctx, calls) => {
      await ctx.record(note, { n: 1 });
      return Promise.all(calls());
    });
    const { answer } = await send(test, [item, note, batch], batch, 1, null);
    expect([answer.status, served]).toEqual([409, []]);
  });
});

describe("an item of a batch", () => {
  it("names the revision that it is based on where its operation wants one", async () => {
    const test = createTestMachine();
    const item = revisedItem(3);
    const given = [undefined, '"2-json"', '"3-json"', "*"];
    const batch = batchOf(item, (ctx) => {
      const items = given.map((ifMatch, index) => ({ index, ...(ifMatch !== undefined && { ifMatch }) }));
      return Promise.all(items.map((one) => ctx.call(item, { params: {}, body: { n: 1 }, ...one })));
    });
    const { answer } = await send(test, [item, batch], batch, 1, null, { ifMatch: '"9-json"' });
    expect(resultsOf(answer.body).map(({ status }) => status)).toEqual([428, 412, 200, 200]);
  });
});

it("lets a batch be a DELETE, and a POST by default", () => {
  const { item } = rememberingItem();
  const method = (more: { method?: "DELETE" }) => describeOperation(batchOf(item, undefined, more)).method;
  expect([method({ method: "DELETE" }), method({})]).toEqual(["DELETE", "POST"]);
});

describe("a batch that is repeated", () => {
  it("answers what it answered, byte by byte, and carries nothing out", async () => {
    const test = createTestMachine();
    const { item, served } = rememberingItem();
    const batch = batchOf(item);
    const first = await send(test, [item, batch], batch, 3, "k");
    const before = test.written.length;
    const again = await send(test, [item, batch], batch, 3, "k");
    expect([again.answer.status, again.answer.body]).toEqual([207, first.answer.body]);
    expect(again.answer.headers["Idempotent-Replayed"]).toBe("true");
    expect([served.length, test.written.length - before]).toEqual([3, 1]);
  });

  it("is told that its twin runs while it does", async () => {
    const test = createTestMachine();
    const { item } = rememberingItem();
    const batch = batchOf(item);
    const { call } = caller(test, [item, batch]);
    const body = items(3);
    const members: Partial<Call> = { idempotencyKey: "k", readBody: () => body, bodyDigest: () => "d" };
    const statuses = (await Promise.all([call(batch, members), call(batch, members)])).map(
      ({ answer }) => answer.status,
    );
    expect(statuses.sort()).toEqual([207, 409]);
  });

  it("after a crash in the middle goes on under the same id: the items that were done answer again, the others are carried out", async () => {
    const test = createTestMachine();
    const stored = new Map<string, { bodyDigest: string; output: { ok: boolean } }>();
    let crashed = false;
    const carriedOut: number[] = [];
    const ids = new Set<string>();
    const { grouped } = madeOperations({
      work: (ctx, { n }) => {
        const { idempotency, batch } = ctx as unknown as {
          idempotency: { hash: string; bodyDigest: string };
          batch: string;
        };
        ids.add(batch);
        if (n === 2 && !crashed) throw new Error("the process dies here");
        if (stored.has(idempotency.hash)) return { ok: true };
        stored.set(idempotency.hash, { bodyDigest: idempotency.bodyDigest, output: { ok: true } });
        carriedOut.push(n as number);
      },
    });
    const batch = batchOf(grouped);
    test.commit = () => Promise.reject(new Error("the connection broke"));
    expect((await send(test, [grouped, batch], batch, 4, "k")).answer.status).toBe(207);
    expect([carriedOut, test.answers.size]).toEqual([[0, 1, 3], 0]);
    crashed = true;
    test.commit = async (rows) => void test.written.push(rows);
    const again = await send(test, [grouped, batch], batch, 4, "k");
    expect(resultsOf(again.answer.body).map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect([carriedOut, ids.size, test.answers.size]).toEqual([[0, 1, 3, 2], 1, 1]);
  });

  it("repeats an item by its name where the repetition finds fewer of them", async () => {
    const test = createTestMachine();
    const hashes = new Map<number, Set<string>>();
    const { grouped } = madeOperations({
      work: (ctx, { n }) => {
        const { hash } = (ctx as unknown as { idempotency: { hash: string } }).idempotency;
        hashes.set(n as number, (hashes.get(n as number) ?? new Set()).add(hash));
      },
    });
    let found = [0, 1, 2];
    const batch = batchOf(grouped, (ctx) =>
      Promise.all(found.map((n, index) => ctx.call(grouped, { params: {}, body: { n }, index, name: `item ${n}` }))),
    );
    test.commit = () => Promise.reject(new Error("the connection broke"));
    await send(test, [grouped, batch], batch, 3, "k");
    test.answers.clear();
    found = [1, 2];
    await send(test, [grouped, batch], batch, 3, "k");
    expect([...hashes.values()].map(({ size }) => size)).toEqual([1, 1, 1]);
    expect(new Set([...hashes.values()].flatMap((of) => [...of])).size).toBe(3);
  });

  it("has another id on another day, and each batch without a key its own", async () => {
    const test = createTestMachine();
    const { item } = rememberingItem();
    const batch = batchOf(item);
    const idOf = async (key: string | null) =>
      ((await send(test, [item, batch], batch, 1, key)).output as { batch_id: string }).batch_id;
    const first = await idOf("k");
    test.answers.clear();
    expect(await idOf("k")).toBe(first);
    test.answers.clear();
    Object.assign(test.machine.clock, { now: () => Date.UTC(2026, 0, 4) });
    expect(await idOf("k")).not.toBe(first);
    expect(await idOf(null)).not.toBe(await idOf(null));
  });
});
