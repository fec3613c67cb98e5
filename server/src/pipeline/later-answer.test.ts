import { Type } from "typebox";
import { expect, it, vi } from "vitest";
import type { StreamContext } from "../kernel/context.ts";
import { refuse } from "../kernel/errors.ts";
import { openToAll } from "../kernel/narrowing.ts";
import { defineOperation, exempt } from "../kernel/operation.ts";
import { conflict } from "../kernel/problems.ts";
import type { Answer } from "./call.ts";
import { createOpenStreams } from "./limits/open-streams.ts";
import { caller, createTestMachine, type TestMachine } from "./testing.ts";

const Output = Type.Object({ n: Type.Integer() });
type Told = (ctx: StreamContext, n: number) => AsyncIterable<string>;

/** A change that can be followed; each time that it is made its number is another one. */
function sending(tell: Told, handle = async (n: number) => ({ n }), wait = async (n: number) => ({ n: 10 * n })) {
  let made = 0;
  return defineOperation({
    id: "tests.send",
    method: "POST",
    path: "/v1/things",
    status: 202,
    summary: "Send",
    permission: "tasks:write",
    load: exempt("names nothing"),
    narrowing: openToAll("names nothing"),
    decides: exempt("a test"),
    gate: exempt("makes no agent act"),
    compliance: exempt("a test"),
    audit: "things",
    output: Output,
    example: { output: { n: 1 } },
    streams: { "text/event-stream": (ctx, { output }) => tell(ctx, output.n) },
    writes: { "text/plain": { etag: "txt", write: ({ n }) => `number ${n}` } },
    waitable: true,
    awaits: (_ctx, { output }) => wait(output.n),
    handle: async () => handle(++made),
  });
}
const numbers: Told = async function* (_ctx, n) {
  yield `told ${n}`;
};
const accept = "text/event-stream";

function serve(operation: ReturnType<typeof sending>, test: TestMachine = createTestMachine()) {
  const { call } = caller(test, [operation]);
  const send = (members = {}) =>
    call(operation, { readBody: () => ({}), bodyDigest: () => "digest", accept, ...members });
  return { test, send };
}

async function piecesOf({ stream, body }: Answer): Promise<(string | Uint8Array)[]> {
  const pieces: (string | Uint8Array)[] = stream ? [] : [body];
  for await (const piece of stream ?? []) pieces.push(piece);
  return pieces;
}

it("is told after its effect is durable, with what the handler returned", async () => {
  const order: string[] = [];
  const test = createTestMachine();
  const { commit } = test;
  test.commit = async (rows) => {
    await new Promise(setImmediate);
    order.push("committed");
    return commit(rows);
  };
  const { send } = serve(
    sending((ctx, n) => {
      order.push("asked");
      return numbers(ctx, n);
    }),
    test,
  );
  const { answer } = await send();
  expect([answer.status, answer.contentType, await piecesOf(answer)]).toEqual([202, accept, ["told 1"]]);
  expect(order).toEqual(["committed", "asked"]);
  expect(test.drafts).toMatchObject([{ status: 202, responseDigest: null }]);
  const { answer: json } = await send({ accept: null });
  expect([json.contentType, json.body]).toEqual(["application/json", '{"n":2}']);
});

it("is joined by a repetition, in either form, and not made again", async () => {
  const { send } = serve(sending(numbers));
  const idempotencyKey = "one";
  await send({ idempotencyKey });
  const { answer: again } = await send({ idempotencyKey });
  expect([again.headers["Idempotent-Replayed"], await piecesOf(again)]).toEqual(["true", ["told 1"]]);
  expect((await send({ idempotencyKey, accept: null })).answer.body).toBe('{"n":1}');
});

it("is answered as JSON where the stream cannot begin: what was done is not denied", async () => {
  const { send } = serve(
    sending(() => {
      throw refuse(conflict, "Too late.");
    }),
  );
  const { answer, refusal } = await send();
  expect([answer.status, answer.contentType, answer.body, refusal]).toEqual([202, "application/json", '{"n":1}', null]);
});

it("is made for nobody who has no place for its stream, and gives the place back when it is refused or over", async () => {
  const test = createTestMachine();
  Object.assign(test.machine, { streams: createOpenStreams(1) });
  const handle = vi.fn(async (n: number) => {
    if (n === 1) throw refuse(conflict, "Not now.");
    return { n };
  });
  const { send } = serve(sending(numbers, handle), test);
  expect((await send()).answer.status).toBe(409);
  const { answer } = await send();
  expect((await send()).answer.status).toBe(429);
  expect(handle).toHaveBeenCalledTimes(2);
  expect(await piecesOf(answer)).toEqual(["told 2"]);
  expect((await send()).answer.status).toBe(202);
});

it("is awaited where the caller prefers that, also when it is repeated, and answered as it was where that fails", async () => {
  const wait = vi.fn(async (n: number) => ({ n: 10 * n }));
  const { send, test } = serve(sending(numbers, undefined, wait));
  const waiting = { accept: null, prefer: "wait=5", idempotencyKey: "one" };
  const { answer } = await send(waiting);
  expect([answer.status, answer.body, answer.headers["Preference-Applied"]]).toEqual([202, '{"n":10}', "wait=5"]);
  expect(test.drafts).toMatchObject([{ status: 202, responseDigest: null }]);
  expect((await send(waiting)).answer.body).toBe('{"n":10}');
  expect((await send({ ...waiting, prefer: null })).answer.body).toBe('{"n":1}');
  wait.mockRejectedValueOnce(refuse(conflict, "Too many wait."));
  expect((await send(waiting)).answer.body).toBe('{"n":1}');
});

it("is written as Accept asks, also when it is repeated", async () => {
  const { send, test } = serve(sending(numbers));
  const asked = { accept: "text/plain", idempotencyKey: "one" };
  const { answer } = await send(asked);
  expect([answer.contentType, answer.body]).toEqual(["text/plain", "number 1"]);
  expect(test.drafts[0]?.responseDigest).not.toBeNull();
  expect((await send(asked)).answer.body).toBe("number 1");
  expect((await send({ ...asked, accept: null })).answer.body).toBe('{"n":1}');
});
