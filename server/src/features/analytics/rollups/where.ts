import { chainOf, children } from "@aos/cel";
import { nearestName } from "@aos/text";
import { type ASTNode, Environment, serialize } from "@marcbachmann/cel-js";

import type { Filters } from "./types.ts";

// Conditions in CEL over dimensions. All dimensions are texts; one without a value is the empty text.

/** A part of a condition: the dimensions that it reads, and whether it holds for their values, in this order. */
export interface Clause {
  readonly dimensions: readonly string[];
  readonly holds: (values: readonly string[]) => boolean;
}

export class WhereFault extends Error {
  readonly code: string;
  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

const functions: ReadonlySet<string> = new Set([
  "startsWith",
  "endsWith",
  "contains",
  "lowerAscii",
  "upperAscii",
  "trim",
  "size",
]);
const limits = { maxAstNodes: 500, maxDepth: 40, maxListElements: 500, maxMapEntries: 0, maxCallArguments: 3 };

/**
 * Takes a condition apart at its outermost `&&`, so that each part is judged for few combinations of values. Throws a {@link WhereFault}. `dimensions`: those that there
 * are, labels as `label:<name>`.
 */
export function clausesOf(source: string, dimensions: readonly string[]): Clause[] {
  const environment = environmentOf(dimensions);
  const { ast } = parsed(environment, source);
  requireKnown(ast, dimensions);
  const { valid, type, error } = environment.check(source);
  if (!valid) throw new WhereFault("type_mismatch", summaryOf(error));
  if (type !== "bool") throw new WhereFault("type_mismatch", `comes to a ${type}, not to true or false`);
  return conjuncts(ast).map((node) => clauseOf(environment, node));
}

/** An environment for every set of labels would be too many: they are members of one map. */
function environmentOf(dimensions: readonly string[]): Environment {
  const environment = new Environment({ enableOptionalTypes: false, limits });
  for (const name of dimensions) if (!name.includes(":")) environment.registerVariable(name, "string");
  return environment.registerVariable("label", "map<string, string>");
}

function parsed(environment: Environment, source: string) {
  try {
    return environment.parse(source);
  } catch (error) {
    throw new WhereFault(
      "syntax_error",
      `${summaryOf(error).replace(/\.$/, "")}. A text stands in quotation marks: agent == "sales"`,
    );
  }
}

const summaryOf = (error: unknown): string =>
  error instanceof Error && "summary" in error && typeof error.summary === "string"
    ? error.summary
    : "It cannot be read.";

/** The dimension that a node is; null: none. */
function dimensionOf(node: ASTNode): string | null {
  const chain = chainOf(node);
  if (!chain) return null;
  if (chain.root !== "label") return chain.root;
  return chain.path[0] === undefined ? null : `label:${chain.path[0]}`;
}

function requireKnown(node: ASTNode, dimensions: readonly string[]): void {
  const name = dimensionOf(node);
  if (name !== null) {
    if (!dimensions.includes(name)) throw unknown(name, dimensions);
    return;
  }
  if (chainOf(node)) throw new WhereFault("label_required", 'name a label: label["team"]');
  if (node.op === "call" || node.op === "rcall") {
    const called = node.args[0];
    if (!functions.has(called))
      throw new WhereFault("unknown_function", `${called}() is not known here; known are ${[...functions].join(", ")}`);
  }
  for (const child of children(node)) requireKnown(child, dimensions);
}

function unknown(name: string, dimensions: readonly string[]): WhereFault {
  const write = (one: string) => (one.startsWith("label:") ? `label["${one.slice("label:".length)}"]` : one);
  const nearest = nearestName(name, dimensions);
  const hint = nearest === null ? `known are ${dimensions.map(write).join(", ")}` : `did you mean ${write(nearest)}?`;
  return new WhereFault("unknown_dimension", `there is no dimension ${write(name)} of what is measured; ${hint}`);
}

const conjuncts = (node: ASTNode): ASTNode[] => (node.op === "&&" ? node.args.flatMap(conjuncts) : [node]);

function dimensionsIn(node: ASTNode): string[] {
  const name = dimensionOf(node);
  return name === null ? children(node).flatMap(dimensionsIn) : [name];
}

function clauseOf(environment: Environment, node: ASTNode): Clause {
  const program = environment.parse(serialize(node));
  const dimensions = [...new Set(dimensionsIn(node))];
  const holds = (values: readonly string[]): boolean => {
    const named: Record<string, string> = {};
    const label: Record<string, string> = {};
    for (const [at, name] of dimensions.entries()) {
      if (name.startsWith("label:")) label[name.slice("label:".length)] = values[at] as string;
      else named[name] = values[at] as string;
    }
    return program({ ...named, label }) === true;
  };
  return { dimensions, holds };
}

/** A condition that was checked, as values that dimensions must have; null: it says more than that. */
export function filtersOf(source: string): Filters | null {
  const filters: Record<string, (string | null)[]> = {};
  for (const node of conjuncts(new Environment({ unlistedVariablesAreDyn: true, limits }).parse(source).ast)) {
    const values = valuesIn(node);
    const [dimension] = dimensionsIn(node);
    if (values === null || dimension === undefined || filters[dimension]) return null;
    filters[dimension] = values.map((value) => (value === "" ? null : value));
  }
  return filters;
}

/** The values of `dimension == "value"` and `dimension in ["value", …]`. */
function valuesIn(node: ASTNode): string[] | null {
  if (node.op !== "==" && node.op !== "in") return null;
  const [left, right] = node.args;
  if (dimensionOf(left) === null) return null;
  const texts = node.op === "in" && right.op === "list" ? right.args : [right];
  const values = texts.flatMap((one) => (one.op === "value" && typeof one.args === "string" ? [one.args] : []));
  return values.length === texts.length ? values : null;
}
