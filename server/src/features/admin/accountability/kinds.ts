import {
  type Actor,
  asEarlier,
  type Decider,
  type Part,
  type StoredActor,
  settersAmong,
  storedPersons,
  withDeciders,
} from "../../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { IdPrefix } from "../../../kernel/ids.ts";
import { definePort } from "../../../kernel/port.ts";
import type { Content } from "./confirmations-store.ts";

// What other slices have that a second person confirms, or that somebody takes over: they stand below and join their kinds in wiring/ports.ts.

export interface ConfirmableContent extends Content {
  /** The agents that it concerns; null: none in particular, so that narrowed keys do not reach it. */
  readonly agents: readonly string[] | null;
  readonly path: string;
}

/** One kind of content, by what stands before the colon of its name: `agent:sales@3`. */
export interface ConfirmableKind {
  readonly kind: string;
  readonly permission: string;
  find(ctx: ReadContext | WriteContext, name: string): Promise<ConfirmableContent | undefined>;
  /** Called in the transaction that confirms it, for what is kept in memory. */
  confirmed?(ctx: WriteContext): void;
}
export const confirmableKinds = definePort<readonly ConfirmableKind[]>("content that a second person confirms");

export interface StandingActor {
  readonly object: string;
  readonly actor: StoredActor;
  readonly deciders: readonly Decider[];
  readonly stoppedReason: string | null;
  readonly agents: readonly string[] | null;
  readonly path: string;
}

export interface StandingKind {
  readonly kind: string;
  /** Of its ids; absent where it has a name. */
  readonly prefix?: IdPrefix;
  /** What it does in its owner's name, which whoever takes it over needs as well. */
  readonly permission: string;
  find(ctx: ReadContext | WriteContext, id: string): Promise<StandingActor | undefined>;
  /** Gives it another owner and starts it again. Its deciders stay: only `defineStanding` makes this. */
  takeOver(ctx: WriteContext, id: string, actor: Actor): Promise<void>;
}

interface DefinedStanding<Row> extends Omit<StandingKind, "takeOver"> {
  readonly part: Part;
  lock(ctx: WriteContext, id: string): Promise<Row | undefined>;
  /** Stores whom it acts for, and starts it again. `actor`: the new owner, for whose acts those before are accountable too. */
  give(ctx: WriteContext, row: Row, actor: Actor): Promise<void>;
}

/** Declares a kind. Everybody who set it up before is counted here, so that no kind can forget them. */
export function defineStanding<Row extends { readonly actor: unknown }>({
  part,
  lock,
  give,
  ...rest
}: DefinedStanding<Row>): StandingKind {
  return {
    ...rest,
    async takeOver(ctx, id, actor) {
      const row = await lock(ctx, id);
      if (!row) return;
      const earlier = asEarlier(settersAmong(storedPersons(row.actor)), part, `${rest.kind}:${id}`);
      await give(ctx, row, withDeciders(actor, earlier));
    },
  };
}
export const standingKinds = definePort<readonly StandingKind[]>("what acts later in somebody's name");
