import { Environment } from "@marcbachmann/cel-js";
import { domain, inCidr } from "./addresses.ts";
import { CONTEXT_GROUPS, CONTEXT_TEXTS, type ContextGroup, GROUP_CLASSES, MAX_CONTEXT_LIST } from "./context.ts";
import { glob } from "./glob.ts";

/** Deepest nesting of brackets; fields after fields and choices within choices may go twice as deep. */
export const MAX_DEPTH = 24;
/** Nodes that the parser makes at most, lists included; policies are held to a lower bound that counts a list of constants as one. */
const PARSER_NODES = 1024;

/** What a function is called with, for the check of its use. */
export const GLOBAL_FUNCTIONS: ReadonlySet<string> = new Set([
  "has",
  "size",
  "string",
  "int",
  "double",
  "bool",
  "type",
  "timestamp",
  "duration",
  "glob",
  "startsWith",
  "endsWith",
  "contains",
  "inCidr",
  "domain",
]);
export const METHODS: ReadonlySet<string> = new Set([
  "startsWith",
  "endsWith",
  "contains",
  "lowerAscii",
  "upperAscii",
  "trim",
  "size",
  "getFullYear",
  "getMonth",
  "getDate",
  "getDayOfMonth",
  "getDayOfWeek",
  "getDayOfYear",
  "getHours",
  "getMinutes",
  "getSeconds",
]);
export const MACROS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "map", "filter"]);
/** Names of types, for `type(input.amount) == double`. */
export const TYPE_NAMES: ReadonlySet<string> = new Set([
  "string",
  "bool",
  "int",
  "uint",
  "double",
  "map",
  "list",
  "bytes",
  "null_type",
  "type",
]);

/** The typed environment that policies are written in. Made once: declaring types costs far more than checking an expression. */
function makeEnvironment(): Environment {
  const env = new Environment({
    unlistedVariablesAreDyn: false,
    homogeneousAggregateLiterals: true,
    enableOptionalTypes: false,
    limits: {
      maxAstNodes: PARSER_NODES,
      maxDepth: 2 * MAX_DEPTH,
      maxListElements: MAX_CONTEXT_LIST,
      maxMapEntries: MAX_CONTEXT_LIST,
      maxCallArguments: 8,
    },
  });
  for (const group of Object.keys(CONTEXT_GROUPS) as ContextGroup[]) {
    const fields: Record<string, string> = {};
    for (const [name, spec] of Object.entries(CONTEXT_GROUPS[group])) fields[name] = spec.type;
    env.registerType(`Context.${group}`, { ctor: GROUP_CLASSES[group], fields });
    env.registerVariable(group, `Context.${group}`);
  }
  for (const name of Object.keys(CONTEXT_TEXTS)) env.registerVariable(name, "string");
  env.registerVariable("input", "map<string, dyn>");
  registerFunctions(env);
  registerMixedNumbers(env);
  return env;
}

function registerFunctions(env: Environment): void {
  const now = { async: false };
  env.registerFunction("glob(string, string): bool", glob, now);
  env.registerFunction("inCidr(string, string): bool", inCidr, now);
  env.registerFunction("domain(string): string", domain, now);
  env.registerFunction(
    "startsWith(string, string): bool",
    (text: string, prefix: string) => text.startsWith(prefix),
    now,
  );
  env.registerFunction("endsWith(string, string): bool", (text: string, suffix: string) => text.endsWith(suffix), now);
  env.registerFunction("contains(string, string): bool", (text: string, part: string) => text.includes(part), now);
}

type Arithmetic = (a: number, b: number) => number;
const arithmetic: readonly (readonly [string, Arithmetic])[] = [
  ["+", (a, b) => a + b],
  ["-", (a, b) => a - b],
  ["*", (a, b) => a * b],
  ["/", (a, b) => a / b],
];

/**
 * CEL compares whole and fractional numbers but neither equates nor adds them. Every number of the context is a double, so
 * `risk.score == 8` and `spend.task_usd * 2 > 5` would be type errors: these overloads make them mean what they say.
 */
function registerMixedNumbers(env: Environment): void {
  env.registerOperator("double == int", (a: number, b: bigint) => a === Number(b));
  for (const [sign, operate] of arithmetic) {
    env.registerOperator(`double ${sign} int: double`, (a: number, b: bigint) => operate(a, Number(b)));
    env.registerOperator(`int ${sign} double: double`, (a: bigint, b: number) => operate(Number(a), b));
  }
}

export const celEnvironment: Environment = makeEnvironment();
