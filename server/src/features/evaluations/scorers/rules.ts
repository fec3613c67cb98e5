import { isDeepStrictEqual } from "node:util";
import { compileSchema, type Validator } from "@aos/json-schema";
import { escapeToken, resolvePointer } from "@aos/strict-json";
import type { Fault } from "../../../kernel/errors.ts";
import type { StoredRow } from "../../../resources/rows.ts";
import { type Scorer, type ScorerKind, type ScorerParameters, type ScorerSample, SetScorerBody } from "./schemas.ts";

export interface ScorerDefinition {
  readonly kind: ScorerKind;
  /** JSON Pointer; empty: the whole output. */
  readonly pointer: string;
  readonly parameters: ScorerParameters;
  /** The least score that passes. */
  readonly pass_at: number;
}

export interface ScorerJson {
  readonly definition: ScorerDefinition;
  readonly samples: ScorerSample[];
}
export type ScorerRow = StoredRow<"scorers", ScorerJson>;

/**
 * The score of an output against what was expected, from 0 to 1; null where the scorer has nothing to say, since `expected` lacks the place that it
 * compares. A place that the output lacks scores 0.
 */
export function scoreOf(
  { kind, pointer, parameters }: ScorerDefinition,
  output: unknown,
  expected: unknown,
): number | null {
  const given = resolvePointer(output, pointer);
  const wanted = resolvePointer(expected, pointer);
  if (kind === "contains") return containsScore(given, wanted, parameters);
  if (wanted === undefined || (pointer === "" && isEmpty(wanted))) return null;
  if (kind === "json_match") return jsonScore(given, wanted, parameters);
  if (kind === "numeric_tolerance") return numericScore(given, wanted, parameters);
  return isDeepStrictEqual(plain(given, parameters), plain(wanted, parameters)) ? 1 : 0;
}

/** An item without `expected` expects nothing, rather than an empty output. */
const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** Texts as `exact` compares them, members in one order. */
function plain(value: unknown, parameters: ScorerParameters): unknown {
  if (typeof value === "string") {
    const trimmed = parameters.trim === true ? value.trim() : value;
    return parameters.case_sensitive === false ? trimmed.toLowerCase() : trimmed;
  }
  if (Array.isArray(value)) return value.map((one) => plain(one, parameters));
  if (typeof value !== "object" || value === null) return value === 0 ? 0 : value; // 0 and -0 are one number in JSON
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one, parameters)]));
}

/** Share of the expected leaves that the output has at the same places. */
function jsonScore(
  given: unknown,
  wanted: unknown,
  { ignore = [], all_or_nothing = false }: ScorerParameters,
): number | null {
  const ignored = new Set(ignore);
  const leaves = [...leavesOf(wanted, "", ignored)];
  if (leaves.length === 0) return null;
  const matched = leaves.filter(([at, value]) =>
    isDeepStrictEqual(plain(resolvePointer(given, at), {}), plain(value, {})),
  ).length;
  if (all_or_nothing) return matched === leaves.length ? 1 : 0;
  return matched / leaves.length;
}

function* leavesOf(value: unknown, at: string, ignored: ReadonlySet<string>): Generator<[string, unknown]> {
  if (ignored.has(at)) return;
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    yield [at, value];
    return;
  }
  for (const [name, one] of Object.entries(value)) yield* leavesOf(one, `${at}/${escapeToken(name)}`, ignored);
}

function numericScore(
  given: unknown,
  wanted: unknown,
  { absolute = 0, relative = 0 }: ScorerParameters,
): number | null {
  if (typeof wanted !== "number") return null;
  if (typeof given !== "number") return 0;
  return Math.abs(given - wanted) <= Math.max(absolute, relative * Math.abs(wanted)) ? 1 : 0;
}

function containsScore(given: unknown, wanted: unknown, parameters: ScorerParameters): number | null {
  const { absent = [], any = false, case_sensitive = false } = parameters;
  const texts = parameters.values ?? textsOf(wanted);
  if (texts.length === 0 && absent.length === 0) return null;
  const fold = (text: string): string => (case_sensitive ? text : text.toLowerCase());
  const text = fold(textsOf(given).join("\n"));
  if (absent.some((one) => text.includes(fold(one)))) return 0;
  const found = texts.filter((one) => text.includes(fold(one))).length;
  if (texts.length === 0) return 1;
  if (any) return found > 0 ? 1 : 0;
  return found / texts.length;
}

/** A number or a boolean counts as its JSON text. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number" || typeof value === "boolean") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

const parametersOf: Readonly<Record<ScorerKind, readonly (keyof ScorerParameters)[]>> = {
  exact: ["case_sensitive", "trim"],
  json_match: ["ignore", "all_or_nothing"],
  numeric_tolerance: ["absolute", "relative"],
  contains: ["case_sensitive", "values", "any", "absent"],
};

/** The definition of a body. */
export function definitionOf({ kind, pointer = "", parameters = {}, pass_at = 1 }: SetScorerBody): ScorerDefinition {
  return { kind, pointer, parameters, pass_at };
}

let bodySchema: Validator | undefined;

/**
 * What is wrong with a scorer that its schema cannot say: parameters of another kind, and samples that it scores differently. Of a body
 * that breaks the schema nothing: the schema says so.
 */
export function scorerFaults(body: SetScorerBody): Fault[] {
  bodySchema ??= compileSchema(SetScorerBody);
  if (bodySchema(body).length > 0) return [];
  const own = parametersOf[body.kind];
  const foreign = Object.keys(body.parameters ?? {}).filter((name) => !own.includes(name as keyof ScorerParameters));
  const faults: Fault[] = foreign.map((name) => ({
    pointer: `/parameters/${escapeToken(name)}`,
    code: "foreign_parameter",
    detail: `is no parameter of ${body.kind}; it takes ${own.join(", ")}`,
  }));
  if (
    body.kind === "numeric_tolerance" &&
    body.parameters?.absolute === undefined &&
    body.parameters?.relative === undefined
  ) {
    faults.push({
      pointer: "/parameters",
      code: "no_tolerance",
      detail: "needs `absolute` or `relative`; for equality give 0, or use `exact`",
    });
  }
  if (faults.length > 0) return faults;
  return body.samples.flatMap((sample, at) => sampleFault(definitionOf(body), sample, at));
}

function sampleFault(definition: ScorerDefinition, sample: ScorerSample, at: number): Fault[] {
  const scored = scoreOf(definition, sample.output, sample.expected ?? {});
  if (scored === sample.score) return [];
  if (scored !== null && typeof sample.score === "number" && Math.abs(scored - sample.score) < 1e-9) return [];
  const says =
    scored === null ? "has nothing to say of it: `expected` lacks the place that it compares" : `scores it ${scored}`;
  return [
    {
      pointer: `/samples/${at}/score`,
      code: "sample_disagrees",
      detail: `is ${JSON.stringify(sample.score)}, but the scorer ${says}; correct the scorer or the sample`,
    },
  ];
}

export function scorerView({ name, version, definition, description, samples, author, created_at }: ScorerRow): Scorer {
  return {
    scorer: name,
    version,
    ...definition,
    description,
    samples,
    created_by: author,
    created_at: created_at.toISOString(),
  };
}
