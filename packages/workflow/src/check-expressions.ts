import { type Chain, chainText, faultyPatterns, unguardedReads } from "@aos/cel";
import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { chainsOf } from "./chains.ts";
import type { Ancestors } from "./check-steps.ts";
import { type IntegerType, isRequired, type OutputOf } from "./check-types.ts";
import { errorAt, type Finding } from "./findings.ts";
import type { Plan } from "./plan.ts";

const macros: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "map", "filter"]);

/** Where an expression stands: which steps are over by then, and what else it may read. */
export interface Place {
  readonly pointer: string;
  /** Steps that are over before. */
  readonly before: Ancestors;
  /** The steps `parallel` in which it stands. */
  readonly within?: readonly string[];
  readonly hasEvent: boolean;
  /** What it has to come to; left out: anything. */
  readonly wanted?: "bool" | "list" | "moment" | "string";
}

export interface Checking {
  readonly plan: Plan;
  /** An expression is right if it is with integers as ints, or with integers as doubles: when it is evaluated, ints and doubles may meet. */
  readonly environments: (integer: IntegerType) => Environment;
  readonly outputOf: OutputOf;
  /** Steps that may be skipped or fail without ending the run, so that they may have no output. */
  readonly mayLack: (step: string, within: readonly string[]) => boolean;
}

/** Everything that is wrong with an expression, and its type where nothing is. */
export function checkExpression(
  checking: Checking,
  source: string,
  place: Place,
): { findings: Finding[]; type: string | null } {
  const at = (code: string, detail: string, offset?: number): { findings: Finding[]; type: null } => ({
    findings: [errorAt(place.pointer, code, detail, offset)],
    type: null,
  });
  let parsed: ReturnType<Environment["parse"]>;
  try {
    parsed = checking.environments("int").parse(source);
  } catch (error) {
    const { summary, offset } = read(error);
    return at("syntax_error", `${summary} A text stands in quotation marks of its own: "'text'".`, offset);
  }
  const reads = readsOf(checking, parsed.ast, place);
  if (reads.length > 0) return { findings: reads, type: null };
  const asInts = parsed.check();
  const checked = asInts.valid ? asInts : checking.environments("double").check(source);
  if (!checked.valid) {
    const { summary, offset, code } = read(asInts.error);
    return at(code, `${summary}${hint(summary)}`, offset);
  }
  const patterns = faultyPatterns(parsed.ast);
  if (patterns.length > 0) {
    const findings = patterns.map(({ detail, offset }) => errorAt(place.pointer, "invalid_pattern", detail, offset));
    return { findings, type: null };
  }
  const type = String(checked.type);
  const wrong = wantedFault(place.wanted, type);
  return wrong === null ? { findings: [], type } : at("type_mismatch", wrong);
}

/** Reads of steps that are not over by then, or that may have no output. */
function readsOf(
  { plan, outputOf, mayLack }: Checking,
  root: ASTNode,
  { pointer, before, hasEvent, within = [] }: Place,
): Finding[] {
  const findings: Finding[] = [];
  for (const chain of chainsOf(root)) {
    const node = chain.nodes[0];
    if (chain.root === "event" && !hasEvent)
      findings.push(
        errorAt(
          pointer,
          "unknown_name",
          "There is no event here: event is known in triggers and in `where`.",
          node?.pos,
        ),
      );
    if (chain.root !== "steps" || chain.path.length === 0) continue;
    const id = chain.path[0] as string;
    if (!plan.byId.has(id)) findings.push(errorAt(pointer, "unknown_step", `There is no step ${id}.`, node?.pos));
    else if (!before.has(id))
      findings.push(errorAt(pointer, "not_before", `${id} may not be over by then: add it to needs.`, node?.pos));
  }
  if (findings.length > 0) return findings;
  const isSure = ({ root: name, path }: Chain, step: number): boolean => {
    if (name === "input")
      return (
        isRequired(plan.definition.input, path.slice(0, step)) ||
        !isDescribed(plan.definition.input, path.slice(0, step))
      );
    if (name !== "steps" || step === 1) return true;
    const [id, member] = path as [string, string];
    if (step === 2) return member === "status" || !mayLack(id, within);
    const inner = path.slice(2, step);
    return member !== "output" || isRequired(outputOf(id), inner) || !isDescribed(outputOf(id), inner);
  };
  return unguardedReads(root, isSure, macros).map(({ chain, step }) => {
    const written = chainText(chain, step);
    return errorAt(
      pointer,
      "unguarded",
      `${written} may be absent: write has(${written}) && … or has(${written}) ? … : … around it.`,
      chain.nodes[step - 1]?.pos,
    );
  });
}

/** Whether a schema names a member at all. What it does not describe may hold anything, and no guard is asked for. */
function isDescribed(schema: unknown, path: readonly string[]): boolean {
  let at = schema as { properties?: Readonly<Record<string, unknown>> } | undefined;
  for (const key of path) {
    const next = at?.properties?.[key];
    if (next === undefined) return false;
    at = next as typeof at;
  }
  return true;
}

function wantedFault(wanted: Place["wanted"], type: string): string | null {
  if (wanted === undefined || type === "dyn") return null;
  if (wanted === "list") return type.startsWith("list") ? null : `It comes to ${type}, and a list is needed.`;
  if (wanted === "moment")
    return type === "string" || type.includes("Timestamp") ? null : `It comes to ${type}, and a timestamp is needed.`;
  return type === wanted
    ? null
    : `It comes to ${type}, and ${wanted === "bool" ? "true or false" : "a text"} is needed.`;
}

const hint = (summary: string): string =>
  /double %|% double|List index must be int, got 'double'/.test(summary)
    ? " Its schema allows a fraction: declare it type: integer, or write int(…) around it."
    : "";

const codes: Readonly<Record<string, string>> = { unknown_variable: "unknown_name", no_such_key: "unknown_field" };

/** What the library says of a fault, and where. Anything but its own errors is not repeated. */
function read(error: unknown): { summary: string; offset?: number; code: string } {
  if (!(error instanceof Error) || !("summary" in error) || typeof error.summary !== "string")
    return { summary: "It could not be understood.", code: "type_mismatch" };
  const { summary } = error;
  const code =
    "code" in error && typeof error.code === "string" ? (codes[error.code] ?? "type_mismatch") : "type_mismatch";
  const start = "range" in error ? (error.range as { start?: unknown } | undefined)?.start : undefined;
  return {
    summary: summary.endsWith(".") ? summary : `${summary}.`,
    code,
    ...(typeof start === "number" && { offset: start }),
  };
}
