import {
  allowMixedNumbers,
  type Budget,
  type Chain,
  type CostedFunction,
  createEnvironment,
  Expression,
  NeedsThread,
  TooCostly,
} from "@aos/cel";
import type { Environment } from "@marcbachmann/cel-js";
import { chainsOf } from "./chains.ts";

/** What expressions of a run may read: JSON, with `bigint`s where a schema declares integers (`withIntegers`). */
export interface Scope {
  readonly input: unknown;
  /** By id, what of a step is known: its status, and once it is over its output, trust and cost. */
  readonly steps: Readonly<Record<string, StepFacts>>;
  readonly run: Readonly<Record<string, unknown>>;
  /** When the step began; the same however often it is looked at. */
  readonly now: Date;
  /** What began the run, or what a wait looks at. */
  readonly event?: unknown;
  /** The item of a loop under its name, and its position. */
  readonly names?: Readonly<Record<string, unknown>>;
  /** What its expressions may cost together. */
  readonly budget: Budget;
}

export interface StepFacts {
  readonly status: string;
  readonly output?: unknown;
  readonly trust_score?: number;
  readonly trust_low?: number;
  readonly cost_usd?: number;
}

/** An expression that came to nothing: a missing field, numbers of two kinds, a text that is no timestamp, or more work than it may cost. */
export class ExpressionFault extends Error {
  readonly source: string;
  readonly code: "expression_failed" | "expression_too_costly";
  constructor(source: string, detail: string, code: ExpressionFault["code"] = "expression_failed") {
    super(detail);
    this.source = source;
    this.code = code;
  }
}

/** How steps and triggers show that an expression of theirs came to nothing. Throws any other error on. */
export function failureOfFault(error: unknown, of = ""): { code: ExpressionFault["code"]; detail: string } {
  if (!(error instanceof ExpressionFault)) throw error;
  return { code: error.code, detail: `${of}${error.source}: ${error.message}` };
}

/** Bounds of the parser: no file makes it take long. */
export const parserLimits = {
  maxAstNodes: 1024,
  maxDepth: 48,
  maxListElements: 500,
  maxMapEntries: 500,
  maxCallArguments: 8,
} as const;

type Ranked = { readonly by: bigint | number; readonly item: unknown };

const countOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/**
 * What expressions of workflows know besides CEL. `best(list, n)`: the `item` of the n members with the highest `by`, highest first; equal ones stay in
 * their order. `results(inputs, output)`: of a loop over `inputs`, the items that completed as pairs `{ input, output }`. What a loop came to may be too long to
 * stand in its output; nothing is chosen from a part of it.
 */
const functions: readonly CostedFunction[] = [
  {
    signature: "best(list, dyn): list",
    cost: ({ budget, place }, [list]) => budget.spend(2 * countOf(list) * (1 + Math.log2(1 + countOf(list))), place),
    handler: (list: readonly Ranked[], most: bigint | number) => {
      if (list.some((one) => typeof one?.by !== "number" && typeof one?.by !== "bigint"))
        throw new Error("Each member of best() has a number as `by`, and an `item`.");
      return [...list]
        .sort((a, b) => Number(b.by) - Number(a.by))
        .slice(0, Number(most))
        .map(({ item }) => item);
    },
  },
  {
    signature: "results(list, dyn): list",
    cost: ({ budget, place }, [list]) => budget.spend(4 * countOf(list), place),
    handler: (inputs: readonly unknown[], output: unknown) => {
      const { outputs, completed } = (output ?? {}) as { outputs?: readonly unknown[]; completed?: unknown };
      if (!Array.isArray(outputs) && completed !== 0)
        throw new Error("The loop's results are too long to be compared.");
      return inputs.flatMap((input, at) => {
        const one: unknown = outputs?.[at];
        return one === null || one === undefined ? [] : [{ input, output: one }];
      });
    },
  },
];

/** An environment of workflows' expressions. `isTyped`: names that nobody declared are errors. */
export const newEnvironment = (isTyped: boolean): Environment =>
  allowMixedNumbers(createEnvironment({ unlistedVariablesAreDyn: !isTyped, limits: parserLimits, functions }));

/** Names of the runtime are all of any type: what is wrong with types was found when the workflow was saved. */
const environment = newEnvironment(false);

/** Characters of the expressions whose programs are kept; a program takes a few hundred bytes for each. */
const mostKept = 500_000;
const programs = new Map<string, Expression>();
let kept = 0;

function programOf(source: string): Expression {
  let program = programs.get(source);
  if (program === undefined) {
    program = Expression.parse(environment, source);
    kept += source.length;
    if (kept > mostKept) {
      programs.clear();
      kept = source.length;
    }
    programs.set(source, program);
  }
  return program;
}

/** The names that an expression reads; undefined: it cannot be parsed. */
export function chainsIn(source: string): readonly Chain[] | undefined {
  try {
    return chainsOf(programOf(source).root);
  } catch {
    return undefined;
  }
}

/** What is wrong with the form of an expression; undefined: it can be parsed. */
export function syntaxFault(source: string): string | undefined {
  try {
    programOf(source);
    return undefined;
  } catch (error) {
    return summaryOf(error);
  }
}

/**
 * What an expression comes to, as JSON. Throws an {@link ExpressionFault} that says what is missing, and `NeedsThread` where this thread may not do so much: the
 * pure function that asked is done over again in another one.
 */
export function evaluate(source: string, scope: Scope): unknown {
  try {
    const { names, budget, ...rest } = scope;
    return programOf(source).evaluate({ ...rest, ...names }, budget);
  } catch (error) {
    if (error instanceof NeedsThread) throw error;
    if (error instanceof TooCostly) throw new ExpressionFault(source, costOf(source, error), "expression_too_costly");
    throw new ExpressionFault(source, summaryOf(error));
  }
}

/** What was too costly, where, and what to do. */
function costOf(source: string, { bound, place }: TooCostly): string {
  if (bound === "result") return "Its result is too large; return less of what it reads.";
  if (bound === "total" && place === null)
    return "The expressions before it have used up what they may cost together; simplify them, or split the workflow.";
  const before = source.slice(0, place?.start ?? 0).split("\n");
  const at = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  const part = source.slice(place?.start ?? 0, place?.end ?? source.length);
  const what =
    place === null ? "Its result costs" : `At ${at} (${part.length > 80 ? `${part.slice(0, 80)}…` : part}) it costs`;
  const than = bound === "total" ? "than all expressions here may together" : "than an expression may";
  return `${what} more work ${than}. Nest fewer loops, look at fewer or smaller values, or let an agent or a tool do it.`;
}

/** Whether an expression holds. One that is neither true nor false is a fault. */
export function holds(source: string, scope: Scope): boolean {
  const value = evaluate(source, scope);
  if (typeof value !== "boolean")
    throw new ExpressionFault(
      source,
      `It came to ${(JSON.stringify(value) ?? "nothing").slice(0, 200)}, not to true or false.`,
    );
  return value;
}

/** A value of a file: texts are expressions, everything else holds what it holds. */
export function resolve(value: unknown, scope: Scope): unknown {
  if (typeof value === "string") return evaluate(value, scope);
  if (Array.isArray(value)) return value.map((one) => resolve(one, scope));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one, scope)]));
}

/** {@link resolve} of an object's members; none: an empty object. */
export function resolveAll(
  values: Readonly<Record<string, unknown>> | undefined,
  scope: Scope,
): Record<string, unknown> {
  return values === undefined ? {} : (resolve(values, scope) as Record<string, unknown>);
}

/** The library's errors say in a line what was wrong; anything else is not repeated. */
function summaryOf(error: unknown): string {
  if (error instanceof ExpressionFault) return error.message;
  if (error instanceof Error && "summary" in error && typeof error.summary === "string")
    return error.summary.length > 300 ? `${error.summary.slice(0, 300)}…` : error.summary;
  return "It could not be evaluated.";
}
