import fc from "fast-check";
import { expect, it } from "vitest";
import { advance, newRun } from "./advance.ts";
import { threadBudget } from "./budgets.ts";
import type { WorkflowDefinition } from "./definition.ts";
import { outstanding } from "./outlook.ts";
import { planOf } from "./plan.ts";
import { type World, workflow, world } from "./random-runs.fixture.ts";
import { Reference } from "./reference.fixture.ts";
import { type Command, isRunOver, type Outcome, type RunState } from "./state.ts";

const start = Date.parse("2026-07-01T08:00:00Z");
const keyOf = ({ kind, step, ...rest }: { kind: string; step: string; attempt?: number }) =>
  kind === "undo" ? `undo ${step}` : `${kind} ${step} ${rest.attempt}`;

/** What happens between two looks at a run. */
const happening = fc.record({
  /** Milliseconds by which the look is late: several things may have happened by then. */
  late: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(9_000)),
  crash: fc.constantFrom("none", "none", "before it is stored", "before anything is done"),
  repeated: fc.boolean(),
  asked: fc.oneof(
    { weight: 60, arbitrary: fc.constant("nothing" as const) },
    { weight: 4, arbitrary: fc.constantFrom("pause" as const, "resume" as const) },
    { weight: 1, arbitrary: fc.constantFrom("cancel", "cancel_and_compensate", "compensate", "compensate") },
  ),
});
type Happening = Exclude<typeof happening extends fc.Arbitrary<infer T> ? T : never, never>;

/** Carries out what a run commands, as drawn; to be asked twice for one thing makes no difference. */
class Outside {
  readonly done: string[] = [];
  readonly #due: { readonly at: number; readonly outcome: Outcome; readonly key: string }[] = [];
  readonly #world: World;
  constructor(world: World) {
    this.#world = world;
  }

  do(key: string, now: number): void {
    if (this.done.includes(key)) return;
    this.done.push(key);
    const [kind, step, attempt] = key.split(" ") as [string, string, string];
    const at = Number(attempt ?? 1);
    const ends = this.#ends(step, at);
    const due = (after: number, outcome: Outcome) => this.#due.push({ at: now + after, outcome, key });
    if (kind === "undo") due(ends.after, { kind: "undone", step, ok: ends.undoes });
    if (kind === "listen" && ends.status === "completed")
      due(ends.after, { kind: "event", step, attempt: at, body: { n: at } });
    if (kind === "start")
      due(ends.after, {
        kind: "ended",
        step,
        attempt: at,
        status: ends.status,
        ...(ends.status === "completed" ? { output: { n: at } } : { failure: { code: ends.code, detail: "Drawn." } }),
      });
    if (kind !== "cancel" || ends.deaf) return;
    const running = this.#due.findIndex((one) => one.key === `start ${step} ${attempt}`);
    if (running >= 0) this.#due.splice(running, 1);
    due(500, { kind: "ended", step, attempt: at, status: "cancelled" });
  }

  /** What has ended by now and was not told before. */
  ended(now: number): readonly Outcome[] {
    const told = this.#due.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
    for (const one of told) this.#due.splice(this.#due.indexOf(one), 1);
    return told.map(({ outcome }) => outcome);
  }

  next(): number | null {
    return this.#due.length === 0 ? null : Math.min(...this.#due.map(({ at }) => at));
  }

  #ends(step: string, attempt: number) {
    const { ends } = this.#world;
    return ends[(Number(step.slice(1)) * 7 + attempt * 3) % ends.length] as World["ends"][number];
  }
}

/** As the journal keeps it. */
const stored = (state: RunState): RunState => {
  const { steps, ...rest } = state;
  const kept = JSON.parse(JSON.stringify({ ...rest, steps: [...steps] }));
  return { ...kept, steps: new Map(kept.steps) };
};

const seenOf = (state: RunState) =>
  Object.fromEntries(
    [...state.steps].map(([id, { status, attempt, output, failure, tolerated, undo, wakeAt }]) => [
      id,
      {
        status,
        attempt,
        output,
        code: status === "completed" || undo ? undefined : failure?.code,
        tolerated,
        undo,
        wakeAt,
      },
    ]),
  );
const referenceSeen = (reference: Reference) =>
  Object.fromEntries(
    [...reference.seen].map(([id, { status, attempt, output, code, tolerated, undo, wakeAt }]) => [
      id,
      { status, attempt, output, code: status === "completed" || undo ? undefined : code, tolerated, undo, wakeAt },
    ]),
  );

function play(definition: WorkflowDefinition, drawn: World, happenings: readonly Happening[]): void {
  const plan = planOf(definition);
  const input = { flag: drawn.flag, list: [1, 2] };
  const reference = new Reference(definition, input, start);
  const [outside, expected] = [new Outside(drawn), new Set<string>()];
  let state: RunState = newRun({ input, run: {} }, start);
  let wakeAt: number | null = start;
  let now = start;
  let asked: RunState["asked"];
  const told: Outcome[] = [];
  for (let look = 0; !isRunOver(state.status); look++) {
    expect(look, "the run ends").toBeLessThan(400);
    const { late, crash, repeated, asked: asks } = happenings[look] ?? quiet;
    if (asks !== "nothing" && asked !== "cancel" && asked !== "cancel_and_compensate" && asked !== "compensate")
      asked = asks === "resume" ? undefined : asks;
    if (look >= happenings.length && asked === "pause") asked = undefined;
    const { asked: _before, ...rest } = state;
    state = asked === undefined ? rest : { ...rest, asked };
    const ended = outside.ended(now);
    const outcomes = repeated ? [...told.slice(-20), ...ended] : ended;
    told.push(...ended);
    if (crash === "before it is stored") advance(plan, state, outcomes, now, threadBudget());
    const next = advance(plan, state, outcomes, now, threadBudget());
    const commanded = reference.look(now, outcomes, asked);
    state = stored(next.state);
    wakeAt = next.wakeAt;
    expect(next.commands.map((one: Command) => keyOf(one))).toEqual(commanded);
    for (const key of commanded) {
      expect(expected.has(key), `${key} is commanded once`).toBe(false);
      expected.add(key);
    }
    expect([state.status, seenOf(state), wakeAt]).toEqual([
      reference.status,
      referenceSeen(reference),
      reference.wakeAt(),
    ]);
    // A crash loses the commands; who finds the run derives from its state what was to be done.
    if (crash !== "before anything is done") for (const key of commanded) outside.do(key, now);
    for (const one of outstanding(plan, state)) outside.do(keyOf(one), now);
    const soonest = [wakeAt, outside.next()].filter((one) => one !== null);
    if (soonest.length > 0) now = Math.max(now, Math.min(...soonest)) + late;
    else expect(isRunOver(state.status) || asked === "pause", "something wakes the run").toBe(true);
  }
  expect([state.ending?.output, state.ending?.failure?.code]).toEqual([reference.end?.output, reference.end?.code]);
  expect(new Set(outside.done)).toEqual(expected);
  expect(outside.done).toHaveLength(expected.size);
  for (const [id, { status }] of state.steps)
    expect([id, ["running", "waiting"].includes(status)]).toEqual([id, false]);
}

const quiet: Happening = { late: 0, crash: "none", repeated: false, asked: "nothing" };

it("runs random workflows as the reference does, whatever is late, lost, told twice or asked for, and does each thing once", () => {
  fc.assert(fc.property(workflow, world, fc.array(happening, { minLength: 12, maxLength: 25 }), play), {
    numRuns: 10 * (fc.readConfigureGlobal().numRuns ?? 50),
  });
});
