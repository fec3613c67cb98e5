import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../testing/app.ts";
import { eventually } from "../../../testing/tasks.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { started, stepRows } from "../runs/runs.fixture.ts";
import { triggerSweep } from "../triggers/jobs/sweep.ts";
import { add, published, runsOf, sequenced, triggersOf } from "../triggers/triggers.fixture.ts";
import { savedDraft } from "./checks.fixture.ts";

const app = useApp();
const process = useWorkerProcess(app);

const nested = (list: string): string =>
  ["a", "b", "c", "d"].reduceRight(
    (inner, name) => `${list}.exists(${name}, ${inner})`,
    "a.n + b.n + c.n + d.n == 1000.0",
  );
const items = Array.from({ length: 100 }, (_, n) => ({ n }));

describe("a trial whose expressions are costly", () => {
  const tryStep = (workflow: string, body: object) =>
    app.call("POST", `/v1/workflows/${workflow}/test`, { key: "viewer", body });
  /** The longest time for which nothing else was done meanwhile, in milliseconds. */
  async function longestPause(work: () => Promise<unknown>): Promise<number> {
    let [longest, last] = [0, performance.now()];
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    await work();
    clearInterval(timer);
    return longest;
  }

  it("decides a pattern that backtracking engines do not", async () => {
    const workflow = await savedDraft(app, { workflow: "pattern" });
    const steps = [{ id: "s", set: { found: `'${"a".repeat(60)}!'.matches('(a+)+$')` } }];
    const { body } = await tryStep(workflow, { definition: { steps } });
    expect(body).toMatchObject({ status: "completed", path: [{ step: "s", output: { found: false } }] });
  });

  it("fails the step and names the expression, the place and the remedy, while other calls are answered", async () => {
    const workflow = await savedDraft(app, { workflow: "nested" });
    const steps = [{ id: "s", set: { found: nested("input.items") } }];
    let answered = 0;
    const pause = await longestPause(async () => {
      const tried = tryStep(workflow, { definition: { steps }, input: { items } });
      while ((await Promise.race([tried, app.call("GET", "/healthz", { key: null })])) !== (await settled(tried)))
        answered++;
      const { body } = await tried;
      expect(body).toMatchObject({ status: "failed", path: [{ failure: { code: "expression_too_costly" } }] });
      expect(body.failure.detail).toMatch(
        /^s: input\.items\.exists.*At line 1, column \d+ .* costs more work .* Nest fewer loops/,
      );
    });
    expect(answered).toBeGreaterThan(0);
    expect(pause).toBeLessThan(2_000);
  });

  it("refuses what waits for too long, to be repeated, when one organization asks for much at once", async () => {
    const workflow = await savedDraft(app, { workflow: "many" });
    const body = { definition: { steps: [{ id: "s", set: { found: nested("input.items") } }] }, input: { items } };
    const all = await Promise.all(Array.from({ length: 8 }, () => tryStep(workflow, body)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 503]));
    expect(all.find(({ status }) => status === 503)?.body).toMatchObject({ code: "overloaded" });
  });

  it("finds a pattern that RE2 does not know when the workflow is checked", async () => {
    const workflow = await savedDraft(app, { workflow: "lookahead" });
    const steps = [{ id: "s", set: { found: "input.text.matches('(?=a)b')" } }];
    const { body } = await tryStep(workflow, { definition: { steps }, input: { text: "ab" } });
    expect(body.findings).toMatchObject([{ pointer: "/steps/0/set/found", code: "invalid_pattern" }]);
    expect(body.path).toMatchObject([
      { failure: { code: "expression_failed", detail: expect.stringContaining("lookahead") } },
    ]);
  });
});

/** What a promise came to if it has, else undefined. */
const settled = <T>(promise: Promise<T>): Promise<T | undefined> => Promise.race([promise, Promise.resolve(undefined)]);

it("a run whose step costs too much fails there, and a costly one that may be is computed to its end", async () => {
  await process.worker();
  const costly = await started(app, [{ id: "s", set: { found: nested("input.items") } }], { items });
  const long = "input.items.all(a, input.items.all(b, a.n + b.n >= 0.0))";
  const allowed = await started(app, [{ id: "s", set: { all: long } }], { items });
  await eventually(async () => {
    await process.sweeper.sweep();
    expect((await stepRows(app, costly))[0]).toMatchObject({ status: "failed" });
    expect((await stepRows(app, allowed))[0]).toMatchObject({ status: "completed" });
  });
  expect(JSON.parse((await stepRows(app, costly))[0].failure)).toMatchObject({ code: "expression_too_costly" });
  expect(JSON.parse((await stepRows(app, allowed))[0].output)).toEqual({ all: true });
});

describe("a trigger whose condition is costly", () => {
  let secret = "";
  beforeAll(async () => {
    secret = (await app.call("POST", "/v1/hooks", { body: { name: "costly" } })).body.secret;
  });
  async function send(body: object): Promise<void> {
    const [text, id, at] = [JSON.stringify(body), "msg_costly", new Date()];
    const signature = new Webhook(secret).sign(id, at, text);
    const headers = { "webhook-id": id, "webhook-timestamp": String(Math.floor(at.getTime() / 1000)) };
    const sent = await app.call("POST", "/v1/hooks/costly", {
      key: null,
      body: text,
      headers: { ...headers, "webhook-signature": signature },
    });
    expect(sent.status, sent.text).toBe(202);
  }

  it("says so, and others fire", async () => {
    const [costly, allowed, plain] = [await published(app), await published(app), await published(app)];
    await add(app, costly, { event: "many", where: nested("event.items") });
    await add(app, allowed, { event: "many", where: "event.items.all(a, event.items.exists(b, b.n == a.n))" });
    await add(app, plain, { event: "many", where: "size(event.items) == 100" });
    await send({ type: "many", items });
    await sequenced(app);
    // The first sweep has a thread judge the conditions, the second one starts the runs.
    for (let sweeps = 0; sweeps < 2; sweeps++) await process.sweeperWith([triggerSweep]).sweep();
    expect((await triggersOf(app, costly))[0].last_error).toMatchObject({ code: "expression_too_costly" });
    expect([(await runsOf(app, costly)).length, (await runsOf(app, plain)).length]).toEqual([0, 1]);
    expect((await runsOf(app, allowed)).length).toBe(1);
  });
});
