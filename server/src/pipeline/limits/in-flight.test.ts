import { expect, it } from "vitest";
import type { Call } from "../call.ts";
import { caller, createTestMachine, madeOperations } from "../testing.ts";
import { createInFlight } from "./in-flight.ts";

/** A service with an operation that waits until it is let go, and how many calls of it have begun. */
function waiting(calls: number, bytes?: number) {
  const test = createTestMachine();
  Object.assign(test.machine, { inFlight: createInFlight(calls, bytes) });
  const gate = Promise.withResolvers<void>();
  const operations = madeOperations({ work: () => gate.promise.then(() => ({ ok: true })) });
  const { call } = caller(test, Object.values(operations));
  const send = (members: Partial<Call> = {}) => call(operations.own, { readBody: () => ({}), ...members });
  return { send, letGo: gate.resolve };
}

const statusOf = async (outcome: Promise<{ answer: { status: number } }>): Promise<number> =>
  (await outcome).answer.status;

it("refuses a caller who has too many calls in flight, until one of them has ended", async () => {
  const { send, letGo } = waiting(2);
  const first = [send(), send()];
  const { answer } = await send();
  expect([answer.status, answer.headers["Retry-After"]]).toEqual([429, "1"]);
  expect(JSON.parse(answer.body)).toMatchObject({ code: "rate_limited", in_flight_limit: 2, retryable: true });
  letGo();
  expect(await Promise.all(first.map(statusOf))).toEqual([200, 200]);
  expect(await statusOf(send())).toBe(200);
});

it("counts the bytes of their bodies, and lets one call in whatever its size", async () => {
  const { send, letGo } = waiting(10, 1_000);
  const large = send({ bodyLength: 1_500 });
  const { answer } = await send({ bodyLength: 1 });
  expect(JSON.parse(answer.body)).toMatchObject({ status: 429, in_flight_bytes_limit: 1_000 });
  const bare = send();
  letGo();
  expect([await statusOf(large), await statusOf(bare)]).toEqual([200, 200]);
  expect(await statusOf(send({ bodyLength: 900 }))).toBe(200);
});

it("gives the place of a refused call back", async () => {
  const { send, letGo } = waiting(1);
  letGo();
  for (let round = 0; round < 3; round++) expect(await statusOf(send({ readBody: () => 7 }))).toBe(422);
  expect(await statusOf(send())).toBe(200);
});
