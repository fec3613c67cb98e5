import { type Static, type TObject, type TSchema, Type } from "typebox";
import type { BodyLimits } from "./body-bounds.ts";
import type { Spending } from "./budget.ts";
import type {
  AppendContext,
  BatchContext,
  CallContext,
  GroupContext,
  ReadContext,
  StreamContext,
  WriteContext,
} from "./context.ts";
import type { Decides } from "./decides.ts";
import type { Fault, ProblemType } from "./errors.ts";
import type { EventType } from "./events.ts";
import type { Narrowing } from "./narrowing.ts";
import { seal } from "./operation-seal.ts";
import type { PolicyFacts } from "./policy-facts.ts";
import type { Exempt, InsideOperation, Method, Operation } from "./sealed-operation.ts";
import type { Governed } from "./verdict.ts";

export type { PolicyFacts } from "./policy-facts.ts";
export type { Exempt, InsideOperation, Method, Operation } from "./sealed-operation.ts";

/** Says that a stage does not apply to an operation, and why. */
export function exempt(reason: string): Exempt {
  return { reason } as Exempt;
}

/** Whose gate a call has to pass: a version of an agent, in the environment of the call. */
export interface GateSubject {
  readonly agent: string;
  readonly versionId: string;
  /** Work that the call begins passes the gate by itself and asks people then: here only a refusal counts. */
  readonly asksLater?: true;
}

/** What a stage's function is given: all that is known before the effect. */
export interface Given<P, Q, B, L> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly loaded: L;
}

/** A change that is durable, with its output. */
interface Done<P, Q, B, O, L> extends Given<P, Q, B, L> {
  readonly output: O;
}

/** The object that an audit record names, `<type>:<id>`, and the task and approval it belongs to. */
export interface AuditObject {
  readonly object: string | null;
  readonly task?: string | null;
  readonly approval?: string | null;
  /** The person or thing whose data the bodies carry: erasing it destroys what opens their digests. Default: the principal. */
  readonly subject?: string;
  /** The subject came into being with this very call. */
  readonly freshSubject?: boolean;
  readonly trust?: number | null;
  /**
   * Of a call inside, which has no bodies: SHA-256, in hexadecimal, of what it was given and of what came of it. The record commits to them as to those of
   * bodies, so that whoever gets the result elsewhere can check it.
   */
  readonly given?: string | null;
  readonly result?: string | null;
}

interface Parts<P, Q, B, O, L, F extends PolicyFacts> {
  /** `<group>.<verb and noun>`, also the method of the SDK and the name on the command line. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** A permission `<group>:<read|write|…>`, or why none is needed. */
  readonly permission: `${string}:${string}` | Exempt;
  /** The objects that the path names; absent or foreign: undefined, which is 404. */
  readonly load: ((ctx: ReadContext, params: P) => Promise<L | undefined> | L | undefined) | Exempt;
  /**
   * How it holds a key that is narrowed to agents. Left out where a rule of `kernel/narrowing.ts` says it: by permission, by the agent in the path, by `agent` or
   * `agents` of what `load` finds. Where none does, the declaration throws.
   */
  readonly narrowing?: Narrowing<P, B, L>;
  /** One version, or all that the call sets to work: each has to pass. */
  readonly gate: ((ctx: CallContext, given: Given<P, Q, B, L>) => GateSubject | readonly GateSubject[]) | Exempt;
  readonly compliance: Governs<P, Q, B, L, F> | Exempt;
  /** What the record names: an object, or only its name where there is nothing else to say of it. */
  readonly audit:
    | string
    | ((given: { params: P; body: B; loaded: L | undefined; output: O | undefined }) => AuditObject | string);
  readonly emits?: readonly EventType[];
  /** Beyond those of the pipeline itself. Each has a test that stands beside the operation. */
  readonly errors?: readonly ProblemType[];
}

/** An action under policies, and the facts that they see. */
export interface Governs<P, Q, B, L, F extends PolicyFacts> extends GovernsOptions<P, Q, B, L, F> {
  readonly action: string;
  readonly facts: (ctx: CallContext, given: Given<P, Q, B, L>) => F;
  readonly waits: boolean;
}

/** An action that is not the call's own, with the facts that policies see of it. */
export interface Proposal {
  readonly action: string;
  readonly facts: PolicyFacts;
}

export interface GovernsOptions<P, Q, B, L, F extends PolicyFacts> {
  /** Whether the handler can put the call before people. Where it cannot, which is the default, a demand for approval is a refusal. */
  readonly waits?: boolean;
  /**
   * The input, trust and risk that policies see are those that the call itself writes into the row of the task that its record names (`input`,
   * `trust`, `risk`): they are not stored a second time with the record, and a replay reads them there.
   */
  readonly inputOf?: "task";
  /**
   * Whether the input that policies see may be stored with the record, for replays. One with personal data that policies of the call itself want replaced never
   * is. Without it a replay leaves the call out where a policy reads the input. Default: it may.
   */
  readonly keepsInput?: (given: Given<P, Q, B, L>) => boolean;
  /**
   * Where the call puts another action in the place of one that policies have judged, such as an edited dispatch, or leads to others, such as those that people
   * approve with it: these actions, which policies judge by themselves as well. What they deny refuses the call; where they ask for people or set bounds, the handler is given that.
   */
  readonly proposes?: (ctx: CallContext, given: Given<P, Q, B, L>) => Proposal | readonly Proposal[] | null;
  /**
   * What policies see of a repetition, which they judge as a read (`task.read` for `task.dispatch`). Default: agent, version and skill of `facts`. Needed where
   * `facts` go by how things stand at the moment.
   */
  readonly readFacts?: (ctx: CallContext, given: Given<P, Q, B, L>) => Pick<PolicyFacts, "agent" | "version" | "skill">;
  /** What the call may use of budgets, and who is charged. */
  readonly spends?: (ctx: CallContext, given: Given<P, Q, B, L> & { readonly facts: F }) => Spending;
  /**
   * Where a budget of `spends` is used up, the call goes on unpaid if this holds, instead of being refused: `ctx.unpaid` says so to the handler, which then starts no
   * work that costs something. What calls under way have reserved is no such case.
   */
  readonly overBudget?: (ctx: CallContext, given: Given<P, Q, B, L>) => boolean;
}

type NoMembers = Record<never, never>;
export type Empty = TObject<NoMembers>;

/** Puts an operation under policies as an action (`task.dispatch`), with the facts that they may ask about; none unless given. */
export function governs(action: string): Governs<unknown, unknown, unknown, unknown, NoMembers>;
export function governs<P, Q, B, L, F extends PolicyFacts>(
  action: string,
  facts: (ctx: CallContext, given: Given<P, Q, B, L>) => F,
  options?: GovernsOptions<P, Q, B, L, F>,
): Governs<P, Q, B, L, F>;
export function governs(
  action: string,
  facts: (ctx: CallContext, given: Given<unknown, unknown, unknown, unknown>) => PolicyFacts = () => ({}),
  options: GovernsOptions<unknown, unknown, unknown, unknown, PolicyFacts> = {},
): Governs<unknown, unknown, unknown, unknown, PolicyFacts> {
  return { action, facts, ...options, waits: options.waits ?? false };
}

/** What the handler is given: the input, what `load` found, the facts shown to policies, and what the stages decided. */
export interface Handling<P, Q, B, L, F> extends Given<P, Q, B, L> {
  readonly facts: F;
  readonly governed: Governed;
}

/** A body of `multipart/form-data`: one file, and the members of `form` as parts. A member whose schema is no text is JSON. */
export interface Receives {
  /** The members besides the file; the handler gets them as its body. */
  readonly form: TObject;
  /** The name of the part with the file. */
  readonly file: string;
  /** Bytes that the file may have. */
  readonly limit: number;
}

interface Http<P extends TObject, Q extends TObject, B extends TSchema, O extends TSchema, L> extends BodyLimits {
  readonly method: Exclude<Method, "GET">;
  /** `/v1/tasks/{task}`: names in braces are the members of `params`. */
  readonly path: string;
  /** Default 200. */
  readonly status?: 200 | 201 | 202 | 207;
  /** The interface specification counts it among its group's endpoints. */
  readonly listed?: true;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** What its callers decide of an agent's later work, or why nothing of what they give reaches it. */
  readonly decides: Decides;
  readonly output: O;
  /** Values that fit the schemas, shown in the description and used by tests. */
  readonly example: { readonly params?: Static<P>; readonly body?: Static<B>; readonly output: Static<O> };
  /** Default `application/json`; another type answers `output`, a string, as it is. */
  readonly contentType?: string;
  /** Where the new or running thing can be read. */
  readonly location?: (output: Static<O>) => string;
  /** The revision behind the answer's strong ETag. */
  readonly revision?: (output: Static<O>) => string | number;
  /**
   * The revision is of what people set, and the answer says more, such as what was used since: a read answers whole each time, never 304.
   */
  readonly revisionOfPart?: true;
  /** Rules that no schema can say, because they depend on what was loaded; its faults are reported together with the schema's. */
  readonly validate?: (
    ctx: CallContext,
    given: { params: Static<P>; body: Static<B>; loaded: L },
  ) => readonly Fault[] | Promise<readonly Fault[]>;
  /** Set where a change must name the revision it is based on (If-Match): how to read the present one off what was loaded. */
  readonly ifMatch?: (loaded: L) => string | number;
  /**
   * The same where naming the revision is the caller's choice: without If-Match the call is about what is there when it is carried out. What was loaded may change
   * until then, so that the handler compares once more under its lock where `ctx.basedOnLoaded` says that the caller named it.
   */
  readonly mayMatch?: (loaded: L) => string | number;
  /**
   * The member of the answer that is shown once. It is never stored: a repetition answers without it, with `secret_withheld: true`, so that the output declares
   * both as optional.
   */
  readonly secret?: Extract<keyof Static<O>, string>;
  /**
   * Further media types in which the body may come (`application/yaml`). Each function answers what a JSON body would have been, which the
   * schema then judges, or throws a Refusal that names line and column. It is given at least one byte.
   */
  readonly reads?: Readonly<Record<string, (bytes: Buffer) => unknown>>;
  /**
   * The body may also come as `multipart/form-data`, with a file: it is written to disk while it arrives, once the caller is known and has the permission, and
   * `uploadOf(body)` answers it until the call has ended.
   */
  readonly receives?: Receives;
  /** Honours `Prefer: wait=n` (RFC 7240): `ctx.waitSeconds` is what was asked for, and the answer says that it was applied. */
  readonly waitable?: true;
}

export interface ReadSpec<P extends TObject, Q extends TObject, O extends TSchema, L, F extends PolicyFacts>
  extends Omit<Parts<Static<P>, Static<Q>, undefined, Static<O>, L, F>, "gate">,
    Omit<
      Http<P, Q, TSchema, O, L>,
      "method" | "status" | "body" | "decides" | "example" | "validate" | "reads" | "receives" | keyof BodyLimits
    > {
  /** Further representations by media type, chosen by `Accept`. `etag` names them in the ETag (`yaml`). */
  readonly writes?: Readonly<Record<string, { readonly etag: string; write(output: Static<O>): string }>>;
  /**
   * Representations that are streamed, by media type (`text/event-stream`). The function is called after the stages and before the record:
   * what it refuses is a refusal like any other, so it looks first and acquires nothing before the first piece is asked for. The record is
   * durable before the first byte; its response digest is null. The iterator's `return` is called when the caller has gone.
   */
  readonly streams?: Readonly<
    Record<
      string,
      (
        ctx: StreamContext,
        given: Handling<Static<P>, Static<Q>, undefined, L, F>,
      ) => AsyncIterable<string | Uint8Array> | Promise<AsyncIterable<string | Uint8Array>>
    >
  >;
  readonly example: { readonly params?: Static<P>; readonly output: Static<O> };
  handle(ctx: ReadContext, given: Handling<Static<P>, Static<Q>, undefined, L, F>): Promise<Static<O>> | Static<O>;
}

export interface WriteSpec<
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  O extends TSchema,
  L,
  F extends PolicyFacts,
> extends Parts<Static<P>, Static<Q>, Static<B>, Static<O>, L, F>,
    Http<P, Q, B, O, L> {
  /** Further representations of the output by media type, chosen by `Accept`, as those of a read. */
  readonly writes?: Readonly<Record<string, { readonly etag: string; write(output: Static<O>): string }>>;
  /**
   * What becomes of the change, streamed, by media type (`text/event-stream`), chosen by `Accept`. The function is called once effect and record are durable, and when
   * the call is repeated, with the stored output. It cannot refuse the call any more: where it throws, the answer is the JSON. The response digest of the record is null.
   */
  readonly streams?: Readonly<
    Record<
      string,
      (
        ctx: StreamContext,
        given: Done<Static<P>, Static<Q>, Static<B>, Static<O>, L>,
      ) => AsyncIterable<string | Uint8Array> | Promise<AsyncIterable<string | Uint8Array>>
    >
  >;
  /** The same where the caller is willing to wait (`waitable`): returns the output as it is when `ctx.waitSeconds` are over, or before that. */
  readonly awaits?: (
    ctx: ReadContext,
    given: Done<Static<P>, Static<Q>, Static<B>, Static<O>, L>,
  ) => Promise<Static<O>>;
  handle(ctx: WriteContext, given: Handling<Static<P>, Static<Q>, Static<B>, L, F>): Promise<Static<O>>;
}

export interface AppendSpec<
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  O extends TSchema,
  L,
  F extends PolicyFacts,
> extends Parts<Static<P>, Static<Q>, Static<B>, Static<O>, L, F>,
    Omit<Http<P, Q, B, O, L>, "method"> {
  handle(ctx: AppendContext, given: Handling<Static<P>, Static<Q>, Static<B>, L, F>): Static<O>;
  /** Answers again what a first call with the same Idempotency-Key answered, from its claiming row; `keyId`: the API key that made it. */
  replay(
    ctx: ReadContext,
    hash: string,
  ): Promise<{ bodyDigest: string; keyId: string | null; output: Static<O> } | undefined>;
}

/** A list of calls in one. Its items are calls of their own; the batch itself changes nothing. */
export interface BatchSpec<
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  O extends TSchema,
  L,
  F extends PolicyFacts,
> extends Parts<Static<P>, Static<Q>, Static<B>, Static<O>, L, F>,
    Omit<Http<P, Q, B, O, L>, "method" | "status" | "ifMatch" | "mayMatch"> {
  /** Default `POST`. */
  readonly method?: "POST" | "DELETE";
  /** Default 207. 200 where the answer is one about a single call, made only to rehearse it. */
  readonly status?: 200 | 207;
  /** Makes the calls and says what they came to. An answer with an item of status 500 or more is not kept: a repetition tries such items again. */
  handle(ctx: BatchContext, given: Handling<Static<P>, Static<Q>, Static<B>, L, F>): Promise<Static<O>>;
}

/** What machines inside do as a call of their own: same stages, same record, no address. */
export interface InsideSpec<I, O, L, F extends PolicyFacts> extends Parts<I, undefined, undefined, O, L, F> {
  /**
   * The short way, for calls that decide from what they were given and from memory: what it appends goes into one statement with what the calls append that
   * wait at the same moment, each under a guard of its own. Undefined: it does not suffice here. Then, and where the guard does not hold, nothing was
   * written, and `handle` carries the call out in a transaction of its own, or says why not.
   */
  readonly together?: (
    ctx: GroupContext,
    given: Handling<I, undefined, undefined, L, F>,
  ) => Promise<O | undefined> | O | undefined;
  handle(ctx: WriteContext, given: Handling<I, undefined, undefined, L, F>): Promise<O>;
}

/** Nothing in the path, no parameter, no member in the body. */
const nothing = Type.Object({}, { additionalProperties: false });
const noParams = Type.Object({});
const readsOnly = exempt("reads, makes no agent act");

/** Declares a read. */
export function defineRead<
  O extends TSchema,
  L,
  F extends PolicyFacts,
  P extends TObject = Empty,
  Q extends TObject = Empty,
>(spec: ReadSpec<P, Q, O, L, F>): Operation {
  return seal({
    door: "http",
    kind: "read",
    method: "GET",
    status: 200,
    params: noParams,
    query: nothing,
    ...spec,
    gate: readsOnly,
  });
}

/** Declares a change that commits in a transaction of its own. */
export function defineOperation<
  O extends TSchema,
  L,
  F extends PolicyFacts,
  P extends TObject = Empty,
  Q extends TObject = Empty,
  B extends TSchema = Empty,
>(spec: WriteSpec<P, Q, B, O, L, F>): Operation {
  return seal({ ...changing, kind: "own", ...spec, example: exampleOf(spec) });
}

/** Declares a change that only appends: it is written in one statement with all calls that wait at the same moment. */
export function defineAppend<
  O extends TSchema,
  L,
  F extends PolicyFacts,
  P extends TObject = Empty,
  Q extends TObject = Empty,
  B extends TSchema = Empty,
>(spec: AppendSpec<P, Q, B, O, L, F>): Operation {
  return seal({ ...changing, kind: "grouped", method: "POST", ...spec });
}

/** Declares a batch. */
export function defineBatch<
  O extends TSchema,
  L,
  F extends PolicyFacts,
  P extends TObject = Empty,
  Q extends TObject = Empty,
  B extends TSchema = Empty,
>(spec: BatchSpec<P, Q, B, O, L, F>): Operation {
  return seal({ ...changing, kind: "batch", method: "POST", status: 207, ...spec });
}

/** Declares a call of machines inside, such as a worker that starts a task. */
export function defineInside<I, O, L, F extends PolicyFacts>(spec: InsideSpec<I, O, L, F>): InsideOperation<I, O> {
  return seal({ door: "inside", kind: "own", ...spec });
}

const changing = { door: "http", status: 200, params: noParams, query: nothing, body: nothing } as const;

const exampleOf = ({ body, example }: { body?: TSchema; example: { readonly output: unknown } }) =>
  body === undefined ? { body: {}, ...example } : example;
