import type { TObject, TSchema } from "typebox";
import { type BodyBounds, ordinaryBounds } from "./body-bounds.ts";
import { type Content, type Decides, decidesOf } from "./decides.ts";
import type { ProblemType } from "./errors.ts";
import type { EventType } from "./events.ts";
import { type NarrowingRule, narrowingOf } from "./narrowing.ts";
import { declarePermission } from "./role-permissions.ts";
import type { Exempt, Method, Operation } from "./sealed-operation.ts";

// The seal of operations. `open` is for `pipeline/compile.ts` alone; a test over the import graph holds that.

const contents = new WeakMap<Operation, SealedSpec>();

type AnyFunction = (...args: never[]) => unknown;

/** An operation's declaration with its types worn off, as the pipeline's stages take it. */
export interface SealedSpec {
  readonly door: "http" | "inside";
  readonly kind: "read" | "own" | "grouped" | "batch";
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly method?: Method;
  readonly path?: string;
  readonly status?: number;
  readonly listed?: boolean;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly output?: TSchema;
  readonly example?: { readonly params?: unknown; readonly body?: unknown; readonly output: unknown };
  readonly contentType?: string;
  readonly location?: AnyFunction;
  readonly revision?: AnyFunction;
  readonly revisionOfPart?: true;
  readonly ifMatch?: AnyFunction;
  readonly mayMatch?: AnyFunction;
  readonly secret?: string;
  readonly reads?: Readonly<Record<string, AnyFunction>>;
  readonly receives?: { readonly form: TObject; readonly file: string; readonly limit: number };
  readonly writes?: Readonly<Record<string, { readonly etag: string; readonly write: AnyFunction }>>;
  readonly streams?: Readonly<Record<string, AnyFunction>>;
  readonly largestBody?: number;
  readonly bounds: BodyBounds;
  readonly waitable?: true;
  readonly awaits?: AnyFunction;
  readonly permission: string | Exempt;
  readonly load: AnyFunction | Exempt;
  readonly narrowing?: NarrowingRule & { readonly agents?: AnyFunction };
  readonly gate: AnyFunction | Exempt;
  readonly decides?: Decides;
  readonly compliance: SealedGoverns | Exempt;
  readonly audit: AnyFunction;
  readonly emits: readonly EventType[];
  readonly errors: readonly ProblemType[];
  readonly handle: AnyFunction;
  readonly together?: AnyFunction;
  readonly replay?: AnyFunction;
  readonly validate?: AnyFunction;
}

interface SealedGoverns {
  readonly action: string;
  readonly facts: AnyFunction;
  readonly waits: boolean;
  readonly inputOf?: "task";
  readonly keepsInput?: AnyFunction;
  readonly proposes?: AnyFunction;
  readonly readFacts?: AnyFunction;
  readonly spends?: AnyFunction;
  readonly overBudget?: AnyFunction;
}

/** A declaration as it is written: what it leaves out is filled in by `seal`. */
type Declared = Omit<SealedSpec, "audit" | "emits" | "errors" | "listed" | "bounds"> & {
  readonly bounds?: Partial<BodyBounds>;
  readonly listed?: true;
  readonly audit: AnyFunction | string;
  readonly emits?: readonly EventType[];
  readonly errors?: readonly ProblemType[];
};

/** Closes a declaration: what comes out shows its id and nothing else. */
export function seal<O extends Operation>(declared: Declared): O {
  const spec: SealedSpec = {
    emits: [],
    errors: [],
    listed: false,
    ...declared,
    audit: auditOf(declared.audit),
    bounds: { ...ordinaryBounds, ...declared.bounds },
  };
  if (writesOverHttp(spec)) decidesOf(spec);
  const operation = Object.freeze({ id: spec.id }) as unknown as O;
  contents.set(operation, Object.freeze(spec.door === "http" ? { ...spec, narrowing: narrowingOf(spec) } : spec));
  if (spec.door === "http" && typeof spec.permission === "string") declarePermission(spec.permission);
  return operation;
}

const writesOverHttp = ({ door, kind }: Pick<SealedSpec, "door" | "kind">): boolean =>
  door === "http" && kind !== "read";

/** Whether a value is a declared operation. */
export function isOperation(value: unknown): value is Operation {
  return contents.has(value as Operation);
}

/** A name alone stands for the object of that name. */
function auditOf(audit: AnyFunction | string): AnyFunction {
  const asObject = (named: unknown) => (typeof named === "string" ? { object: named } : named);
  if (typeof audit === "string") return () => asObject(audit);
  return (...given) => asObject(audit(...given));
}

/** The declaration with its functions. For `pipeline/compile.ts` only. */
export function open(operation: Operation): SealedSpec {
  const spec = contents.get(operation);
  if (!spec) throw new Error("not an operation");
  return spec;
}

/** What may be known of an operation outside the pipeline: everything but its functions. */
export type OperationDescription = Omit<
  SealedSpec,
  | "load"
  | "narrowing"
  | "gate"
  | "decides"
  | "compliance"
  | "audit"
  | "handle"
  | "together"
  | "replay"
  | "validate"
  | "location"
  | "revision"
  | "revisionOfPart"
  | "ifMatch"
  | "mayMatch"
  | "reads"
  | "writes"
  | "streams"
  | "awaits"
> & {
  /** For each stage that does not apply, why. */
  readonly exemptions: {
    readonly permission?: string;
    readonly load?: string;
    readonly gate?: string;
    readonly decides?: string;
    readonly compliance?: string;
  };
  /** Which content of an agent's later work its callers decide (`kernel/decides.ts`); null: none. */
  readonly decides: readonly Content[] | null;
  /** How keys are held that are narrowed to agents; null inside the service, whose principals are not. */
  readonly narrowing: NarrowingRule | null;
  /** The action that policies can name. */
  readonly action: string | null;
  readonly hasRevision: boolean;
  /** Whether a read answers 304 to who holds the revision. */
  readonly conditional: boolean;
  readonly hasLocation: boolean;
  /** Whether If-Match is required. */
  readonly needsRevision: boolean;
  /** Whether If-Match is honoured without being required. */
  readonly takesRevision: boolean;
  /** Media types in which the body may come besides JSON. */
  readonly reads: readonly string[];
  /** Media types in which the answer may go besides its own, chosen by Accept: whole, and streamed. */
  readonly writes: readonly string[];
  readonly streams: readonly string[];
  /** Whether it takes of budgets. */
  readonly spends: boolean;
};

const reasonOf = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null && "reason" in value ? String(value.reason) : undefined;

const descriptions = new WeakMap<Operation, OperationDescription>();

/** Describes an operation for the router, the OpenAPI document, the generated matrix and tests. */
export function describe(operation: Operation): OperationDescription {
  const description = descriptions.get(operation) ?? Object.freeze(makeDescription(operation));
  descriptions.set(operation, description);
  return description;
}

function makeDescription(operation: Operation): OperationDescription {
  const {
    load,
    narrowing,
    gate,
    decides,
    compliance,
    audit: _audit,
    handle: _handle,
    together: _together,
    replay: _replay,
    validate: _validate,
    location,
    revision,
    revisionOfPart,
    ifMatch,
    mayMatch,
    reads,
    writes,
    streams,
    awaits: _awaits,
    ...rest
  } = open(operation);
  const exemptions: Record<string, string> = {};
  for (const [name, value] of Object.entries({ permission: rest.permission, load, gate, decides, compliance })) {
    const reason = reasonOf(value);
    if (reason) exemptions[name] = reason;
  }
  const action = "action" in compliance ? compliance.action : null;
  return {
    ...rest,
    exemptions,
    decides: decides === undefined ? null : decidesOf({ id: rest.id, decides }),
    narrowing: narrowing ? { kind: narrowing.kind, text: narrowing.text } : null,
    action,
    hasRevision: revision !== undefined,
    conditional: revision !== undefined && rest.kind === "read" && !revisionOfPart,
    hasLocation: location !== undefined,
    needsRevision: ifMatch !== undefined,
    takesRevision: mayMatch !== undefined,
    reads: Object.keys(reads ?? {}),
    writes: Object.keys(writes ?? {}),
    streams: Object.keys(streams ?? {}),
    spends: "spends" in compliance && compliance.spends !== undefined,
  };
}
