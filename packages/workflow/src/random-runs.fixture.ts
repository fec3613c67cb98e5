import fc from "fast-check";
import type { Step, WorkflowDefinition } from "./definition.ts";
import type { Outcome } from "./state.ts";

// Random workflows of every kind of step, and a world in which each call ends as it was drawn.

export interface World {
  /** How calls end, by a number that step and attempt make of themselves. */
  readonly ends: readonly Ends[];
  readonly flag: boolean;
}
interface Ends {
  readonly after: number;
  readonly status: Extract<Outcome, { kind: "ended" }>["status"];
  readonly code: "busy" | "fatal";
  /** Whether a call that is taken back ends as it would have. */
  readonly deaf: boolean;
  readonly undoes: boolean;
}

const often = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const seldom = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 5 });
const span = fc.constantFrom("1s", "3s", "8s", "30s");
const onError = often(fc.constantFrom("fail", "continue", "compensate"));
const values = fc.constantFrom({ n: 1 }, { n: "input.list" }, { n: "input.missing.deep" }, {});
const call = { agent: fc.record({ name: fc.constant("a"), skill: fc.constant("s"), input: values }) };
const undo = fc.constantFrom(
  { tool: { agent: "a", name: "undo", arguments: {} } },
  { tool: { agent: "a", name: "undo", arguments: { x: "input.missing.deep" } } },
);
const event = { event: fc.constant("e") };

/** A step before it has an id; members that were not drawn are undefined, and left out later. */
type Drawn = { readonly [M in keyof Step]?: unknown };

const kinds: readonly { weight: number; arbitrary: fc.Arbitrary<Drawn> }[] = [
  {
    weight: 6,
    arbitrary: fc.record({
      ...call,
      retry: often(
        fc.record({
          attempts: fc.integer({ min: 1, max: 3 }),
          backoff: often(span),
          not_on: often(fc.constant(["fatal"])),
        }),
      ),
      timeout: often(span),
      on_error: onError,
      compensate: often(undo),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...call,
      for_each: fc.record({
        in: fc.constantFrom("input.list", "input.missing.deep"),
        at_most: fc.integer({ min: 1, max: 3 }),
      }),
      on_error: onError,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ approval: fc.constant({ title: "'May it?'" }), timeout: often(span), on_error: onError }),
  },
  { weight: 1, arbitrary: fc.record({ workflow: fc.constant({ name: "other" }), on_error: onError }) },
  {
    weight: 2,
    arbitrary: fc.record({
      wait: fc.oneof(
        fc.record({ for: span }),
        fc.record({ until: fc.constantFrom("'2026-07-01T08:00:05Z'", "'2026-07-01T07:00:00Z'") }),
        fc.record({
          ...event,
          at_most: often(span),
          on_timeout: often(fc.constantFrom("fail", "continue", "compensate")),
        }),
        fc.record({ any_of: fc.constant([{ event: "e" }, { event: "f" }]), at_most: often(span) }),
      ),
      on_error: onError,
    }),
  },
  { weight: 2, arbitrary: fc.record({ set: values, on_error: onError }) },
  {
    weight: 1,
    arbitrary: fc.record({
      end: fc.record({ status: often(fc.constantFrom("completed", "failed")), output: often(values) }),
      when: fc.constantFrom("input.flag", "!input.flag", "false"),
    }),
  },
];

const stepOf = (depth: number): fc.Arbitrary<Drawn> =>
  fc.oneof(
    ...kinds,
    ...(depth === 0
      ? []
      : [
          {
            weight: 4,
            arbitrary: fc.record({
              parallel: fc.record({
                branches: fc.record({ x: stepsOf(depth - 1, 3), y: stepsOf(depth - 1, 3) }),
                join: often(fc.constantFrom("all", "any", 1, 2)),
              }),
              timeout: often(span),
              on_error: onError,
            }),
          },
        ]),
  );

/** `back`: which of the steps before are needed; left out: the one above. */
const stepsOf = (depth: number, maxLength: number): fc.Arbitrary<Step[]> =>
  fc
    .array(
      fc.tuple(
        stepOf(depth),
        often(fc.array(fc.nat(5), { maxLength: 2 })),
        seldom(fc.constantFrom("input.flag", "true", "input.missing.deep", "size(input.list) > 1")),
      ),
      { minLength: 1, maxLength },
    )
    .map(
      (drawn) =>
        drawn.map(
          ([step, back, when], at): Drawn => ({
            ...(when !== undefined && { when }),
            ...step,
            id: "",
            ...(back && { needs: at === 0 ? [] : [...new Set(back.map((one) => String(one % at)))] }),
          }),
        ) as unknown as Step[],
    );

export const world: fc.Arbitrary<World> = fc.record({
  ends: fc.array(
    fc.record({
      after: fc.nat(12_000),
      status: fc.oneof(
        { weight: 6, arbitrary: fc.constant("completed" as const) },
        { weight: 3, arbitrary: fc.constant("failed" as const) },
        { weight: 1, arbitrary: fc.constantFrom("rejected", "cancelled", "outcome_unknown") },
      ),
      code: fc.constantFrom("busy", "fatal"),
      deaf: fc.boolean(),
      undoes: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  flag: fc.boolean(),
});

export const workflow: fc.Arbitrary<WorkflowDefinition> = fc
  .record({
    steps: stepsOf(2, 5),
    output: seldom(fc.constantFrom({ all: "input.list" }, { none: "input.missing.deep" })),
    limits: seldom(fc.constantFrom({ steps: 3 }, { duration: "10s" })),
  })
  .map(({ steps, output, limits }) => ({
    workflow: "drawn",
    steps: named(steps, { next: 0 }),
    ...(output && { output }),
    ...(limits && { limits }),
  }));

/** Gives every step an id of its own, and turns places among its siblings into these. */
function named(steps: readonly Step[], counter: { next: number }): Step[] {
  const ids = steps.map(() => `s${counter.next++}`);
  return steps.map((step, at) => {
    const plain = JSON.parse(
      JSON.stringify({ ...step, id: ids[at], needs: step.needs?.map((one) => ids[Number(one)]) }),
    );
    const branches = Object.entries(step.parallel?.branches ?? {}).map(([name, inner]) => [
      name,
      named(inner, counter),
    ]);
    return branches.length === 0
      ? plain
      : { ...plain, parallel: { ...plain.parallel, branches: Object.fromEntries(branches) } };
  });
}
