import type { ASTNode, ParseResult } from "@marcbachmann/cel-js";
import { isOfRule, type RuleCondition } from "../../kernel/approval-rules.ts";
import { AGENT_ACTIONS } from "./actions.ts";
import { celEnvironment } from "./cel.ts";
import { type ContextView, MAX_CONTEXT_LIST } from "./context.ts";
import { failing } from "./failing.ts";
import { unguarded } from "./guards.ts";
import type { Policy, PolicyFault } from "./policy.ts";
import { policyFaults } from "./policy-faults.ts";
import { faultAt, unparsable } from "./source.ts";
import { checkStructure } from "./structure.ts";

/** A policy with its expression ready to run. `program` returns a boolean or throws; `reads` are the names of the context that it reads, `inputReads` the parts of `input`. */
export interface CompiledPolicy {
  readonly policy: Policy;
  readonly program: (view: ContextView) => unknown;
  readonly reads: ReadonlySet<string>;
  readonly inputReads: readonly (readonly string[])[];
}

export type Compilation =
  | { readonly ok: true; readonly compiled: CompiledPolicy }
  | { readonly ok: false; readonly faults: readonly PolicyFault[] };

/**
 * Checks a policy as it must be before it is saved, and makes it ready to run. All faults of its members are answered at once; those of
 * the expression carry their place. Never throws, whatever the members are.
 */
export function compilePolicy(policy: Policy): Compilation {
  return compiledFrom(policy, compileExpression(policy.when, policy.scope?.actions));
}

function compiledFrom(policy: Policy, expression: Expression): Compilation {
  const faults = policyFaults(policy);
  if (!expression.ok) return { ok: false, faults: [...faults, ...expression.faults] };
  if (faults.length > 0) return { ok: false, faults };
  const { program, reads, inputReads } = expression;
  return { ok: true, compiled: { policy, program, reads, inputReads } };
}

/**
 * Makes a stored policy ready to run. One that no longer compiles (a function or field of an older release) becomes one that fails on
 * every call it applies to, so that an active policy denies rather than silently falls away. One that could fail on some calls, saved by a
 * release that took it, fails on those only.
 */
export function loadPolicy(policy: Policy): CompiledPolicy {
  if (policy.rule) return loadRule(policy, policy.rule.when);
  const result = compiledFrom(policy, readExpression(policy.when, policy.scope?.actions));
  if (result.ok) return result.compiled;
  const codes = result.faults.map((fault) => fault.code).join(", ");
  const unscoped = result.faults.some((fault) => fault.pointer.startsWith("/scope"));
  return {
    policy: { ...policy, params: {}, scope: unscoped ? {} : policy.scope },
    program: () => {
      throw new Error(`policy ${policy.id} does not compile: ${codes}`);
    },
    reads: new Set(),
    inputReads: [],
  };
}

/** An approval rule as a policy: its condition is no expression, and cannot fail. */
function loadRule(policy: Policy, when: RuleCondition): CompiledPolicy {
  return { policy, program: (view) => isOfRule(when, view.seenByRule), reads: new Set(), inputReads: [] };
}

type Expression =
  | ({ readonly ok: true } & Omit<CompiledPolicy, "policy" | "program"> & { readonly program: ParseResult })
  | { readonly ok: false; readonly faults: readonly PolicyFault[] };

/** Compiles an expression for a policy on these actions (absent: what agents do), and refuses what could fail when it is evaluated. */
export function compileExpression(source: unknown, actions: unknown): Expression {
  const expression = readExpression(source, actions);
  if (!expression.ok) return expression;
  const faults = failing(source as string, expression.program.ast);
  return faults.length > 0 ? refused(faults) : expression;
}

/** Checks length and nesting, syntax, structure, types, guards. */
function readExpression(source: unknown, actions: unknown): Expression {
  if (typeof source !== "string" || source.trim() === "") {
    return refused([
      { pointer: "/when", code: "required", detail: 'when must be a CEL expression, such as risk.level == "high".' },
    ]);
  }
  const tooDeep = unparsable(source);
  if (tooDeep) return refused([tooDeep]);
  try {
    const parsed = celEnvironment.parse(source);
    const structure = checkStructure(source, parsed.ast);
    if (structure.faults.length > 0) return refused(structure.faults);
    const checked = parsed.check();
    if (!checked.valid) return refused([libraryFault(source, checked.error)]);
    if (checked.type !== "bool") return refused([notBoolean(source, parsed.ast, String(checked.type))]);
    const gaps = unguarded(source, parsed.ast, Array.isArray(actions) && actions.length > 0 ? actions : AGENT_ACTIONS);
    if (gaps.length > 0) return refused(gaps);
    return { ok: true, program: parsed, reads: structure.reads, inputReads: structure.inputReads };
  } catch (error) {
    return refused([libraryFault(source, error)]);
  }
}

function refused(faults: readonly PolicyFault[]): Expression {
  return { ok: false, faults };
}

function notBoolean(source: string, root: ASTNode, type: string): PolicyFault {
  const remedy =
    type === "dyn" ? "compare it, as in input.flag == true" : `it is of type ${type}; compare it with something`;
  return faultAt(source, root.start, "not_boolean", `The expression must come out as true or false: ${remedy}.`);
}

const codes: Readonly<Record<string, string>> = {
  unknown_variable: "unknown_name",
  no_such_key: "unknown_field",
  no_such_overload: "type_mismatch",
  no_matching_overload: "type_mismatch",
};

const limitFaults: readonly (readonly [RegExp, string, string])[] = [
  [
    /maxDepth/,
    "nested_too_deeply",
    "The expression is nested too deeply here; write it flatter, or as several policies.",
  ],
  [/maxListElements/, "list_too_long", `A list has at most ${MAX_CONTEXT_LIST} members.`],
  [/maxCallArguments/, "too_many_arguments", "This call has more arguments than any function takes."],
  [/./, "too_many_nodes", "The expression is too large, from here on; split it into several policies."],
];

/** A fault out of what the library threw. Anything but its own errors is named as not understood, without its text. */
function libraryFault(source: string, error: unknown): PolicyFault {
  const { code, summary, range } = readError(error);
  if (summary === null)
    return faultAt(source, 0, "invalid_expression", "The expression could not be understood; write it more simply.");
  if (code === "limit_exceeded") {
    const [, name, detail] = limitFaults.find(([key]) => key.test(summary)) ?? limitFaults[0]!;
    return faultAt(source, range, name, detail);
  }
  const wholeNumbers = /double in list<int>/.test(summary)
    ? " Numbers of the context have a fraction: write [7.0, 8.0]."
    : "";
  const name =
    (code !== null && codes[code]) ||
    (error instanceof Error && error.name === "ParseError" ? "syntax_error" : "type_mismatch");
  return faultAt(source, range, name, `${summary.endsWith(".") ? summary : `${summary}.`}${wholeNumbers}`);
}

function readError(error: unknown): { code: string | null; summary: string | null; range: number } {
  if (!(error instanceof Error) || !("summary" in error) || typeof error.summary !== "string")
    return { code: null, summary: null, range: 0 };
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  const range = "range" in error ? (error.range as { start?: unknown } | undefined) : undefined;
  return { code, summary: error.summary, range: typeof range?.start === "number" ? range.start : 0 };
}
