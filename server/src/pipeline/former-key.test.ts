import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { caller, createTestMachine, madeOperations, type TestMachine, testScope } from "./testing.ts";

// Idempotency-Keys as a release before the migration 0023 stored them.

const { organization, environment } = testScope;

function arranged({ until = Number.POSITIVE_INFINITY, byOther = false } = {}) {
  const test = createTestMachine();
  const { principal } = test.key;
  const formerOf = (target: string): string =>
    hash("sha256", JSON.stringify([organization, environment, principal.id, target, "k"]), "base64url").slice(0, 22);
  const keyId = byOther ? "key_of_the_same_member" : (principal.keyId as string);
  const operations = madeOperations({
    replay: async (asked) =>
      asked === formerOf("POST tests.grouped") ? { bodyDigest: "-", keyId, output: { ok: true } } : undefined,
  });
  const machine = { ...test.machine, formerKeysUntil: until };
  const pipeline = caller({ ...test, machine } as TestMachine, Object.values(operations));
  return { test, operations, formerOf, call: pipeline.call };
}

it("a dispatch is answered as it was before the upgrade, and written once", async () => {
  const { test, operations, call } = arranged();
  const { answer } = await call(operations.grouped, { idempotencyKey: "k", target: "POST tests.grouped" });
  expect([answer.headers["Idempotent-Replayed"], answer.body]).toEqual(["true", '{"ok":true}']);
  expect(test.written.flatMap(({ rows }) => rows)).toEqual([]);
});

it("is not answered to another key of its member, nor a day after the upgrade", async () => {
  for (const given of [{ byOther: true }, { until: 0 }]) {
    const { operations, call } = arranged(given);
    const { answer } = await call(operations.grouped, { idempotencyKey: "k", target: "POST tests.grouped" });
    expect(answer.headers["Idempotent-Replayed"]).toBeUndefined();
  }
});

it("a stored answer is looked for with the key that made the call, and found", async () => {
  const { test, operations, formerOf, call } = arranged();
  const target = "POST tests.own";
  const stored = { bodyDigest: "-", status: 200, answer: Buffer.from('{"ok":"before"}'), headers: {} };
  test.answers.set(formerOf(target), stored);
  const { answer } = await call(operations.own, { idempotencyKey: "k", target });
  expect([answer.headers["Idempotent-Replayed"], answer.body]).toEqual(["true", '{"ok":"before"}']);
});
