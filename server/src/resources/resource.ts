import type { Static, TObject, TProperties, TSchema } from "typebox";
import type { TableName } from "../db/scoped.ts";
import type { CallContext, ReadContext, WriteContext } from "../kernel/context.ts";
import type { Decides } from "../kernel/decides.ts";
import type { ProblemType } from "../kernel/errors.ts";
import type { EventType } from "../kernel/events.ts";
import type { FactSet } from "../kernel/facts.ts";
import { defineList } from "../kernel/listing.ts";
import type { Narrowing } from "../kernel/narrowing.ts";
import {
  defineOperation,
  defineRead,
  exempt,
  type Governs,
  governs,
  type Operation,
  type PolicyFacts,
} from "../kernel/operation.ts";
import { defineRows, type Query, type Rows, type RowsSpec, type StoredRow } from "./rows.ts";

/** What policies see of a call, from what its path names. */
type Facts<L> = (ctx: CallContext, given: { readonly loaded: L }) => PolicyFacts;
type Maybe<T> = Promise<T | undefined> | T | undefined;

interface Shared<I extends TSchema, P extends TObject, M extends TObject, U, L, R, E> {
  /** The path of all: `/v1/hooks`, `/v1/agents/{agent}/schedules`. */
  readonly path: string;
  /** The members of that path, where it has any. */
  readonly params?: P;
  /** The members of the path of one; the last of them names it: `Type.Object({ agent: AgentName, schedule: ScheduleId })`. */
  readonly member: M;
  /** What the path of all names; needed where it names something. */
  readonly parent?: (ctx: ReadContext, params: Static<P>) => Maybe<U>;
  /** What the path of one names. Default: the row. */
  readonly load?: (ctx: ReadContext, params: Static<M>) => Maybe<L>;
  /** The row in what `load` answers. Default: that itself. */
  readonly rowOf?: (loaded: L) => R;
  /** What a read answers. */
  readonly item: I;
  /** The member of `item` that names it. */
  readonly identity: keyof Static<I> & string;
  readonly example: { readonly params: Static<M>; readonly item: Static<I> };
  /** What items show besides their rows, read for many at once. Default: nothing; the view is of the row. */
  readonly complete?: (ctx: ReadContext | WriteContext, rows: readonly R[]) => Promise<E[]>;
  readonly view: (one: E, ctx: CallContext) => Static<I>;
  readonly revision?: (item: Static<I>) => string | number;
  /** The revision is of what people set, and the item says more, such as what was used since. */
  readonly revisionOfPart?: true;
  /** How records name one: by its kind (`hook`, as in `hook:orders`), or by what the path names. */
  readonly object: string | ((params: Static<M>) => string);
  /** Paths name one by something else too, such as its name; records name it by its key once it is found. */
  readonly hasNames?: true;
  /** How records of calls over all of them name these. Default: the parent, by its path. */
  readonly objects: string | ((params: Static<P>, parent: U | undefined) => string);
  readonly permission: { readonly read: `${string}:${string}`; readonly change: `${string}:${string}` };
  /** The actions by which policies judge reads and changes. */
  readonly governs: { readonly read: string; readonly change: string; readonly remove?: string };
  /** What those who change them decide of agents' later work. */
  readonly decides: Decides;
  readonly facts?: { readonly all?: Facts<U>; readonly one?: Facts<L> };
  /** How operations over one hold narrowed keys, where no rule of `kernel/narrowing.ts` says it; and those over all. */
  readonly narrowing?: { readonly one?: Narrowing<never, never, never>; readonly all?: Narrowing<never, never, never> };
  /** Facts in memory that changes make again. */
  readonly touches?: FactSet<unknown>;
}

/** What each plain operation says of itself. */
interface Said {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly listed?: true;
}

interface ListSaid<T extends TProperties, U, R> extends Said {
  readonly filters?: T;
  /** What cursors are bound to besides path and filters. */
  readonly sort?: string;
  readonly narrowing?: Narrowing<never, never, never>;
  /** Conditions over the alias `r`, by filters, the caller and what the path names. */
  readonly narrow?: (
    query: Query<R>,
    given: { readonly ctx: ReadContext; readonly filter: Static<TObject<T>>; readonly loaded: U },
  ) => Query<R>;
}

interface RemoveSaid<O extends TSchema, R> extends Said {
  readonly output: O;
  readonly decides?: Decides;
  readonly emits?: readonly EventType[];
  readonly errors?: readonly ProblemType[];
  readonly mayMatch?: (row: R) => string | number;
  /** Default: deletes the row. */
  readonly remove?: (ctx: WriteContext, row: R) => Promise<unknown>;
}

/** The row of a resource, as its operations get it. */
export type RowOf<X> = X extends { readonly rows: Rows<infer T, infer J, infer C> } ? StoredRow<T, J> & C : never;

type Given = Readonly<Record<string, unknown>>;
type Declared = Narrowing<never, never, never> | undefined;
const narrowed = (narrowing: Declared) =>
  narrowing && { narrowing: narrowing as unknown as Narrowing<unknown, unknown, unknown> };
const judged = <L>(action: string, facts: Facts<L> | undefined) =>
  (facts ? governs(action, facts) : governs(action)) as Governs<unknown, unknown, unknown, L, PolicyFacts>;

class Resource<
  T extends TableName,
  J extends object,
  C extends object,
  I extends TSchema,
  M extends TObject,
  P extends TObject,
  U,
  L,
  E,
  R extends StoredRow<T, J> & C = StoredRow<T, J> & C,
> {
  readonly rows: Rows<T, J, C>;
  readonly #spec: Spec<T, J, C, I, P, M, U, L, E>;
  readonly #member: string;

  constructor(spec: Spec<T, J, C, I, P, M, U, L, E>) {
    this.#spec = spec;
    this.rows = defineRows<T, J, C>(spec);
    this.#member = Object.keys(spec.member.properties).at(-1) as string;
  }

  /** The item of a row, or of what completes it. */
  view(one: E, ctx: CallContext): Static<I> {
    return this.#spec.view(one, ctx);
  }

  /** Rows with what items show besides them. */
  async complete(ctx: ReadContext | WriteContext, rows: readonly (StoredRow<T, J> & C)[]): Promise<E[]> {
    return this.#spec.complete?.(ctx, rows) ?? (rows as unknown[] as E[]);
  }

  /** The item of a row, with what completes it. */
  async itemOf(ctx: ReadContext | WriteContext, row: StoredRow<T, J> & C): Promise<Static<I>> {
    const [one] = await this.complete(ctx, [row]);
    return this.view(one as E, ctx);
  }

  /** Has every process read the facts again that are made of the rows. */
  touch(ctx: WriteContext): void {
    if (this.#spec.touches) ctx.touch(this.#spec.touches);
  }

  /** Members of a declaration whose path is that of all. */
  get all() {
    const { path, params, parent, objects, narrowing } = this.#spec;
    return {
      path,
      ...(params && { params }),
      load: (parent ?? exempt("names no object")) as (ctx: ReadContext, params: Static<P>) => Maybe<U>,
      audit:
        typeof objects === "string"
          ? objects
          : (given: { params: Static<P>; loaded: unknown }) => objects(given.params, given.loaded as U | undefined),
      ...narrowed(narrowing?.all),
    };
  }

  /** Members of a declaration whose path is that of one. */
  get one() {
    const { path, member, load, object, hasNames, key, narrowing } = this.#spec;
    const find = (ctx: ReadContext, params: unknown) => this.rows.find(ctx, this.#keyIn(params));
    return {
      path: `${path}/{${this.#member}}`,
      params: member,
      load: (load ?? find) as (ctx: ReadContext, params: Static<M>) => Maybe<L>,
      audit: ({ params, loaded }: { params: Static<M>; loaded: unknown }) => {
        if (typeof object !== "string") return object(params);
        const named = hasNames && loaded ? (this.#rowOf(loaded as L) as Given)[key] : this.#keyIn(params);
        return `${object}:${named}`;
      },
      ...narrowed(narrowing?.one),
    };
  }

  /** Members of a declaration that answers the item. */
  get answer() {
    const { item, revision, revisionOfPart } = this.#spec;
    return { output: item, ...(revision && { revision }), ...(revisionOfPart && { revisionOfPart }) };
  }

  /** Members of a declaration of a read whose path is that of all; judged as `action`. */
  readOfAll(action: string = this.#spec.governs.read) {
    const { permission, facts } = this.#spec;
    return { ...this.all, permission: permission.read, compliance: judged(action, facts?.all) };
  }

  /** Members of a declaration of a read whose path is that of one, or one that goes on below it. */
  readOfOne(action: string = this.#spec.governs.read) {
    const { permission, facts } = this.#spec;
    return { ...this.one, permission: permission.read, compliance: judged(action, facts?.one) };
  }

  /** Members of a declaration of a change whose path is that of all; judged as `action`. Each change says its gate itself. */
  changeOfAll(action: string = this.#spec.governs.change) {
    return { ...this.all, ...this.#changes, compliance: judged(action, this.#spec.facts?.all) };
  }

  /** Members of a declaration of a change whose path is that of one, or one that goes on below it (`/rotate-secret`). */
  changeOfOne(action: string = this.#spec.governs.change) {
    return { ...this.one, ...this.#changes, compliance: judged(action, this.#spec.facts?.one) };
  }
  get #changes() {
    return { permission: this.#spec.permission.change, decides: this.#spec.decides };
  }

  /** Reads one. */
  readOperation(said: Said): Operation {
    const { example } = this.#spec;
    return defineRead({
      ...said,
      ...this.readOfOne(),
      ...this.answer,
      example: { params: example.params, output: example.item },
      handle: (ctx, { loaded }) => this.itemOf(ctx, this.#rowOf(loaded)),
    });
  }

  /** Lists them by key, the newest first. */
  listOperation<F extends TProperties = Record<never, never>>({ narrow, ...said }: ListSaid<F, U, R>): Operation {
    const { item, example, key, params } = this.#spec;
    const { [this.#member]: _one, ...parent } = example.params as Given;
    return defineList<I, { row: R; one: E }, U, PolicyFacts, P, F>({
      ...this.readOfAll(),
      item,
      example: { ...(params && { params: parent as Static<P> }), item: example.item },
      read: async (ctx, filter, page, loaded) => {
        const narrowed = (query: Query<R>) => narrow?.(query, { ctx, filter, loaded }) ?? query;
        const rows = (await this.rows.page(ctx, page, narrowed as never)) as R[];
        const complete = await this.complete(ctx, rows);
        return rows.map((row, at) => ({ row, one: complete[at] as E }));
      },
      position: ({ row }) => (row as Given)[key] as string,
      view: ({ one }, ctx) => this.view(one, ctx),
      ...(said as Said & { readonly filters?: F }),
    });
  }

  /** Removes one. */
  removeOperation<O extends TSchema>({ remove, mayMatch, ...said }: RemoveSaid<O, R>): Operation {
    const { governs: action, facts, example, identity, key } = this.#spec;
    const removed = (one: string) => ({ [identity]: one, removed: true }) as Static<O>;
    return defineOperation({
      ...this.one,
      ...this.#changes,
      ...said,
      method: "DELETE",
      gate: exempt("makes no agent act"),
      compliance: judged(action.remove ?? action.change, facts?.one),
      example: { params: example.params, output: removed(this.#keyIn(example.params)) },
      ...(mayMatch && { mayMatch: (loaded: L) => mayMatch(this.#rowOf(loaded)) }),
      handle: async (ctx, { loaded }) => {
        const row = this.#rowOf(loaded);
        const one = (row as Given)[key] as string;
        await (remove ? remove(ctx, row) : this.rows.remove(ctx, one));
        this.touch(ctx);
        return removed(one);
      },
    });
  }

  #keyIn(params: unknown): string {
    return (params as Given)[this.#member] as string;
  }
  #rowOf(loaded: L): R {
    return (this.#spec.rowOf?.(loaded) ?? loaded) as R;
  }
}

type Spec<
  T extends TableName,
  J extends object,
  C extends object,
  I extends TSchema,
  P extends TObject,
  M extends TObject,
  U,
  L,
  E,
> = RowsSpec<T, J, C> & Shared<I, P, M, U, L, StoredRow<T, J> & C, E>;

/**
 * Declares a resource: how its rows are read and written, and what its operations share. `readOperation`, `listOperation` and `removeOperation` make whole operations; where something is
 * particular, what they share is spread into a declaration: `defineOperation({ ...hooks.changeOfOne(), id, method: "PATCH", … })`.
 */
export function defineResource<
  T extends TableName,
  I extends TSchema,
  M extends TObject,
  J extends object = object,
  C extends object = object,
  P extends TObject = TObject<Record<never, never>>,
  U = unknown,
  L = StoredRow<T, J> & C,
  E = StoredRow<T, J> & C,
>(spec: Spec<T, J, C, I, P, M, U, L, E>): Resource<T, J, C, I, M, P, U, L, E> {
  return new Resource(spec);
}
