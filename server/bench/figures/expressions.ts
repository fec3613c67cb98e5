import { Budget, ExpressionFault, evaluate, type Scope } from "@aos/workflow";
import { hostileExpression, hostileInput, randomOf } from "../../../packages/workflow/src/hostile.fixture.ts";
import type { Bench, Figure, Result } from "../figure.ts";
import { quantile } from "./tasks-service.ts";

const seed = 29;
/** Units of 10 ms of work, as the conditions of triggers may cost. */
const bound = 400_000;

/** What hostile expressions take until they end, and what ordinary ones take. */
export const expressions: Figure = {
  name: "expressions",
  title: "expressions: hostile ones within 10 ms of counted work, ordinary ones",
  run: async (bench) => [...hostile(bench), ...ordinary(bench)],
};

const processorUs = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Processor time, so that other work on the machine does not count. */
function took(source: string, scope: Omit<Scope, "budget">): number {
  const began = processorUs();
  try {
    evaluate(source, { ...scope, budget: new Budget({ perExpression: bound, total: bound }) });
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
  }
  return processorUs() - began;
}

function hostile(bench: Bench): Result[] {
  const times = Array.from({ length: bench.quick ? 300 : 2_000 }, (_none, at) => {
    const random = randomOf(seed + at);
    const input = hostileInput(random);
    return took(hostileExpression(random), { input, steps: {}, run: {}, now: new Date(0) });
  }).toSorted((a, b) => a - b);
  bench.say(`  ${times.length} hostile expressions, seed ${seed}, bound ${bound} units`);
  return [
    {
      what: "hostile expression, worst",
      value: (times.at(-1) ?? 0) / 1_000,
      unit: "ms",
      bar: 2_000,
      aim: 200,
      better: "lower",
    },
    {
      what: "hostile expression, p99",
      value: quantile(times, 0.99) / 1_000,
      unit: "ms",
      bar: null,
      aim: 50,
      better: "lower",
    },
  ];
}

const ordinarySources = [
  "input.type == 'order.paid' && input.amount > 3.0 && has(input.note)",
  "'Hello ' + input.name + ', ' + string(input.amount)",
  "input.items.filter(i, i.n > 50.0).map(i, {'id': i.name, 'n': i.n * 2.0})",
];

function ordinary(bench: Bench): Result[] {
  const items = Array.from({ length: 100 }, (_none, n) => ({ n, name: `item ${n}` }));
  const input = { type: "order.paid", amount: 5, note: "x", name: "Ada", items };
  return ordinarySources.map((source) => {
    const times = source.includes("items") ? 2_000 : 100_000;
    const scope: Scope = {
      input,
      steps: {},
      run: {},
      now: new Date(0),
      budget: new Budget({ perExpression: bound, total: Number.POSITIVE_INFINITY }),
    };
    for (let at = 0; at < times / 10; at++) evaluate(source, scope);
    const began = processorUs();
    for (let at = 0; at < times; at++) evaluate(source, scope);
    const value = (processorUs() - began) / times;
    bench.say(`  ${source}: ${value.toFixed(2)} µs`);
    return { what: `ordinary: ${source.slice(0, 40)}`, value, unit: "µs", bar: null, aim: null, better: "lower" };
  });
}
