import type { Wait } from "@aos/workflow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runCompleted } from "../events.ts";
import { firstMatches, Judgements, type LoggedEvent, type OpenWait, seenEvent } from "./matching.ts";

const none = new Map<string, Set<string>>();
const hooked = (type: string | null, data: object = {}, hook = "shop"): LoggedEvent => ({
  sequence: 1,
  time: 0,
  type: "hook.received",
  source: null,
  readers: null,
  body: { event: "hook.received", hook, type, data },
});

describe("an event as triggers and waits see it", () => {
  it("is known by its own type, by that which its hook's call publishes, and by what hook triggers say", () => {
    const publishes = new Map([["shop", new Set(["shop.called", runCompleted.type])]]);
    const event = seenEvent(hooked("order.paid", { n: 1 }), publishes);
    expect([...event.types]).toEqual(["hook.received", "order.paid", "shop.called"]);
    expect([event.body("order.paid"), event.body("hook.received")]).toMatchObject([{ n: 1 }, { hook: "shop" }]);
  });

  it("is never known by a type of the catalogue that a hook or a signal claims", () => {
    expect([...seenEvent(hooked(runCompleted.type), none).types]).toEqual(["hook.received"]);
    const signal = {
      ...hooked(null),
      type: "workflow.run.signalled",
      body: { run_id: "wfr_1", type: runCompleted.type },
    };
    expect([...seenEvent(signal, none).types]).toEqual(["workflow.run.signalled"]);
  });
});

// Waits and events as a few small numbers, so that they often meet.
interface Awaited {
  readonly type: string;
  readonly least: number | null;
}
interface Given {
  readonly run: string;
  readonly since: number;
  readonly looked: number;
  readonly any: readonly Awaited[];
}
interface Happening {
  readonly type: string;
  readonly time: number;
  readonly n: number | null;
  /** Null: a hook's call; else a signal for this run. */
  readonly run: string | null;
}

const types = fc.constantFrom("a", "b", "c");
const runs = fc.constantFrom("wfr_1", "wfr_2");
const awaited = fc.record({ type: types, least: fc.option(fc.integer({ min: 0, max: 3 })) });
const given = fc.record({
  run: runs,
  since: fc.integer({ min: 0, max: 6 }),
  looked: fc.integer({ min: 0, max: 6 }),
  any: fc.array(awaited, { minLength: 1, maxLength: 3 }),
});
const happening = fc.record({
  type: types,
  time: fc.integer({ min: 0, max: 10 }),
  n: fc.option(fc.integer({ min: 0, max: 3 })),
  run: fc.option(runs),
});

/** A naive matcher: tries every event with every alternative, without the expressions' evaluator. */
function naive(wait: Given, type: string, events: readonly Happening[]): number | undefined {
  for (const [at, event] of events.entries()) {
    const sequence = at + 1;
    if (sequence <= wait.looked || event.time < wait.since || event.type !== type) continue;
    if (event.run !== null && event.run !== wait.run) continue;
    for (const one of wait.any)
      if (one.type === type && (one.least === null || (event.n !== null && event.n >= one.least))) return sequence;
  }
  return undefined;
}

const logged = ({ type, time, n, run }: Happening, at: number): LoggedEvent => ({
  sequence: at + 1,
  time,
  source: null,
  readers: null,
  type: run === null ? "hook.received" : "workflow.run.signalled",
  body: { type, data: n === null ? {} : { n }, ...(run === null ? { hook: "h" } : { run_id: run }) },
});

function openWaits({ run, since, looked, any }: Given): OpenWait[] {
  const alternatives = any.map(({ type, least }) => ({
    event: type,
    ...(least !== null && { where: `event.n >= ${least}.0 && input.run == run.id` }),
  }));
  const [first, ...more] = alternatives;
  const wait: Wait = more.length === 0 ? { ...first } : { any_of: alternatives };
  const state = { input: { run }, run: { id: run } };
  return [...new Set(any.map(({ type }) => type))].map((type) => ({
    wait,
    type,
    run,
    since,
    looked,
    state,
    facts: {},
  }));
}

it("each wait ends with the first event that fits it, as a naive matcher finds it", () => {
  fc.assert(
    fc.property(fc.array(given, { maxLength: 5 }), fc.array(happening, { maxLength: 12 }), (waits, happenings) => {
      const events = happenings.map((one, at) => seenEvent(logged(one, at), none));
      const open = waits.flatMap((wait) => openWaits(wait).map((one) => ({ wait, one })));
      const found = firstMatches(
        open.map(({ one }) => one),
        events,
        new Judgements(new Map()),
      );
      for (const { wait, one } of open) expect(found.get(one)?.sequence).toBe(naive(wait, one.type, happenings));
    }),
  );
});
