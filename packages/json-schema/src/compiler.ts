import type { ValidateFunction } from "ajv";
import { Ajv2020, type Options } from "ajv/dist/2020.js";
import addFormats, { type FormatName } from "ajv-formats";
import { type BodyFault, faultOf, settleUnions } from "./faults.ts";
import { compileLinearPattern, PatternsTooCostly, withPatternBudget } from "./linear-pattern.ts";
import { checkUserSchema, USER_FORMATS } from "./user-schema.ts";

/** A JSON Schema of dialect 2020-12 as a plain object; TypeBox types are such objects. */
export type JsonSchema = object;

/** Validates a value without changing it: every fault at once, each with its JSON Pointer; an empty list when there is none. */
export type Validator = (value: unknown) => readonly BodyFault[];

const NO_FAULTS: readonly BodyFault[] = Object.freeze([]);
const MOST_FAULTS = 100;
/** Above so many values in an input only its first fault is looked for: finding all would let one hostile body make a hundred thousand. */
const MOST_VALUES_FOR_ALL = 3_000;

const common: Options = {
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  verbose: true,
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
};

/** Two compilers of one dialect: the first stops at a fault, the second looks for all. */
interface Dialect {
  readonly first: Ajv2020;
  readonly all: Ajv2020;
}

function dialect(options: Options, formats: readonly FormatName[] | undefined): Dialect {
  const make = (allErrors: boolean) => {
    const ajv = new Ajv2020({ ...common, ...options, allErrors });
    // OpenAPI's `example` is an annotation; everything else that is not JSON Schema is a mistake.
    ajv.addVocabulary(["example"]);
    addFormats.default(ajv, formats === undefined ? {} : { formats: [...formats] });
    return ajv;
  };
  return { first: make(false), all: make(true) };
}

let ownDialect: Dialect | undefined;
/** Services that share a process, as in tests, compile each schema once. */
const ownValidators = new WeakMap<JsonSchema, Validator>();
let userDialect: Dialect | undefined;

/**
 * Compiles a schema of ours. Bodies are never coerced; `coerce: false` may be said for the reader's sake. Members that begin with `x-` are
 * annotations. Throws when the schema itself is wrong, which is a mistake in the source.
 */
export function compileSchema(schema: JsonSchema, _options: { readonly coerce?: false } = {}): Validator {
  ownDialect ??= dialect({}, undefined);
  const validate = ownValidators.get(schema) ?? validatorOf(schema, ownDialect);
  ownValidators.set(schema, validate);
  return validate;
}

export type UserSchemaResult =
  | { readonly ok: true; readonly validate: Validator }
  | { readonly ok: false; readonly faults: readonly BodyFault[] };

/**
 * Compiles a schema that a user supplies, such as the input of a skill. It then runs on other people's input, so it is held to what ends in
 * time proportional to that input: see `checkUserSchema`. Patterns run in RE2, all of a validation together within a bound; a value that passes it has the one
 * fault `expression_too_costly`. Faults of the schema point into it.
 */
export function compileUserSchema(schema: unknown): UserSchemaResult {
  const faults = checkUserSchema(schema);
  if (faults.length > 0) return { ok: false, faults };
  userDialect ??= dialect(
    { ownProperties: true, strictTypes: false, strictTuples: false, code: { regExp: linearEngine, optimize: false } },
    USER_FORMATS,
  );
  const { first } = userDialect;
  if (first.validateSchema(schema as JsonSchema) !== true) {
    const wrong = (first.errors ?? []).slice(0, MOST_FAULTS).map((error) => ({
      pointer: error.instancePath,
      code: "invalid_schema",
      detail: `is not valid JSON Schema (2020-12): it ${error.message ?? "breaks a rule of the dialect"}`,
    }));
    return { ok: false, faults: wrong };
  }
  try {
    return { ok: true, validate: bounded(validatorOf(schema as JsonSchema, userDialect)) };
  } catch (error) {
    // What is left are the strict rules of the compiler; their messages speak of the schema only.
    const reason = error instanceof Error ? error.message.replace(/^strict mode: /, "") : "it cannot be compiled";
    return { ok: false, faults: [{ pointer: "", code: "invalid_schema", detail: `cannot be used: ${reason}` }] };
  }
}

const bounded =
  (validate: Validator): Validator =>
  (value) => {
    try {
      return withPatternBudget(() => validate(value));
    } catch (error) {
      if (!(error instanceof PatternsTooCostly)) throw error;
      return [{ pointer: "", code: "expression_too_costly", detail: error.message }];
    }
  };

const linearEngine = Object.assign(
  (source: string) => {
    const { test } = compileLinearPattern(source);
    return { test, toString: () => source };
  },
  { code: "linear" },
) as unknown as NonNullable<NonNullable<Options["code"]>["regExp"]>;

function validatorOf(schema: JsonSchema, { first, all }: Dialect): Validator {
  const validate = compileOnce(first, schema);
  let validateAll: ValidateFunction | undefined;
  return (value) => {
    if (validate(value)) return NO_FAULTS;
    let errors = validate.errors ?? [];
    if (fewValues(value, MOST_VALUES_FOR_ALL) > 0) {
      validateAll ??= compileOnce(all, schema);
      validateAll(value);
      errors = validateAll.errors ?? errors;
    }
    return settleUnions(errors).slice(0, MOST_FAULTS).map(faultOf);
  };
}

/** Compiles and lets the compiler forget the schema again: it would otherwise keep every schema it ever saw. */
function compileOnce(ajv: Ajv2020, schema: JsonSchema): ValidateFunction {
  for (const name of annotationsIn(schema)) if (!ajv.RULES.keywords[name]) ajv.addKeyword(name);
  try {
    return ajv.compile(schema);
  } finally {
    ajv.removeSchema(schema);
  }
}

function annotationsIn(schema: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(schema)) for (const item of schema) annotationsIn(item, found);
  else if (typeof schema === "object" && schema !== null) {
    for (const [name, item] of Object.entries(schema)) {
      if (name.startsWith("x-")) found.add(name);
      else annotationsIn(item, found);
    }
  }
  return found;
}

/** `left` minus the number of values in `value`, or something not above 0 as soon as that is reached. */
function fewValues(value: unknown, left: number): number {
  let rest = left - 1;
  if (typeof value !== "object" || value === null) return rest;
  for (const item of Object.values(value)) {
    if (rest <= 0) return rest;
    rest = fewValues(item, rest);
  }
  return rest;
}
