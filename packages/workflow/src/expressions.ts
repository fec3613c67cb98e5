import type { Chain } from "@aos/cel";
import { Environment, type ParseResult } from "@marcbachmann/cel-js";
import { chainsOf } from "./chains.ts";

/** What expressions of a run may read. */
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
}

export interface StepFacts {
  readonly status: string;
  readonly output?: unknown;
  readonly trust_score?: number;
  readonly trust_low?: number;
  readonly cost_usd?: number;
}

/** An expression that came to nothing: a missing field, numbers of two kinds, a text that is no timestamp. */
export class ExpressionFault extends Error {
  readonly source: string;
  constructor(source: string, detail: string) {
    super(detail);
    this.source = source;
  }
}

/** Bounds of the parser: no file makes it take long. */
export const parserLimits = {
  maxAstNodes: 1024,
  maxDepth: 48,
  maxListElements: 500,
  maxMapEntries: 500,
  maxCallArguments: 8,
} as const;

/** Names of the runtime are all of any type: what is wrong with types was found when the workflow was saved. */
const environment = withFunctions(
  new Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: false,
    limits: parserLimits,
  }),
);

/**
 * Adds what expressions of workflows know besides CEL. `best(list, n)`: the `item` of the n members with the highest `by`, highest first; equal ones stay in
 * their order. `results(inputs, output)`: of a loop over `inputs`, the items that completed as pairs `{ input, output }`. What a loop came to may be too long to
 * stand in its output; nothing is chosen from a part of it.
 */
export function withFunctions(environment: Environment): Environment {
  return environment
    .registerFunction("best(list, dyn): list", (list: readonly unknown[], most: bigint | number) =>
      [...(list as readonly { by: bigint | number; item: unknown }[])]
        .sort((a, b) => Number(b.by) - Number(a.by))
        .slice(0, Number(most))
        .map(({ item }) => item),
    )
    .registerFunction("results(list, dyn): list", (inputs: readonly unknown[], output: unknown) => {
      const { outputs, completed } = (output ?? {}) as { outputs?: readonly unknown[]; completed?: unknown };
      if (!Array.isArray(outputs) && completed !== 0)
        throw new Error("The loop's results are too long to be compared.");
      return inputs.flatMap((input, at) => {
        const one: unknown = outputs?.[at];
        return one === null || one === undefined ? [] : [{ input, output: one }];
      });
    });
}

const mostKept = 20_000;
const programs = new Map<string, ParseResult>();

function programOf(source: string): ParseResult {
  let program = programs.get(source);
  if (program === undefined) {
    if (programs.size >= mostKept) programs.clear();
    program = environment.parse(source);
    programs.set(source, program);
  }
  return program;
}

/** The names that an expression reads; undefined: it cannot be parsed. */
export function chainsIn(source: string): readonly Chain[] | undefined {
  try {
    return chainsOf(programOf(source).ast);
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

/** What an expression comes to, as JSON. Throws an {@link ExpressionFault} that says what is missing. */
export function evaluate(source: string, scope: Scope): unknown {
  try {
    const { names, ...rest } = scope;
    return jsonOf(programOf(source)({ ...rest, ...names }));
  } catch (error) {
    throw new ExpressionFault(source, summaryOf(error));
  }
}

/** Whether an expression holds. One that is neither true nor false is a fault. */
export function holds(source: string, scope: Scope): boolean {
  const value = evaluate(source, scope);
  if (typeof value !== "boolean")
    throw new ExpressionFault(source, `It came to ${JSON.stringify(value) ?? "nothing"}, not to true or false.`);
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

/** Values of CEL as JSON: whole numbers and timestamps as people write them. */
function jsonOf(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map(jsonOf);
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, one]) => [String(name), jsonOf(one)]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, jsonOf(one)]));
}

/** The library's errors say in a line what was wrong; anything else is not repeated. */
function summaryOf(error: unknown): string {
  if (error instanceof ExpressionFault) return error.message;
  if (error instanceof Error && "summary" in error && typeof error.summary === "string") return error.summary;
  return "It could not be evaluated.";
}
