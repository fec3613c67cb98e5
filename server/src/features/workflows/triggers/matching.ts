import {
  Budget,
  conditionBounds,
  type EventWait,
  ExpressionFault,
  NeedsThread,
  type RunState,
  type StepFacts,
  type Trigger,
  type Wait,
} from "@aos/workflow";
import { eventCatalogue } from "../../../kernel/events.ts";
import type { Readers } from "../../../kernel/readers.ts";
import { type Judgement, judgeHere, type Names, type Question } from "../expression-work.ts";
import { hookReceived, runSignalled } from "../hooks/events.ts";

// Matches events with triggers and waits. Pure.

export interface LoggedEvent {
  readonly sequence: number;
  readonly type: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The workflow whose run caused it, if any. */
  readonly source: string | null;
  /** The lists of readers of its object; null: it has none. */
  readonly readers: readonly Readers[] | null;
}

/** An event as triggers and waits see it. */
export interface SeenEvent {
  readonly sequence: number;
  readonly time: number;
  /** Its own type, and what a hook or a signal publishes with it. */
  readonly types: ReadonlySet<string>;
  /** `event` in expressions, by the type under which it is matched. */
  body(type: string): unknown;
  /** The hook that was called, if any. */
  readonly hook: string | null;
  /** The only run that sees it; null: all do. */
  readonly run: string | null;
  readonly source: string | null;
  readonly readers: readonly Readers[] | null;
}

let known: ReadonlySet<string> | undefined;

/** Whether only the service publishes the type. */
export function isCatalogueType(type: string): boolean {
  known ??= new Set(eventCatalogue().map((one) => one.type));
  return known.has(type);
}

/** Types under which events of a type are stored. */
export const storedTypesOf = (type: string): readonly string[] =>
  isCatalogueType(type) ? [type] : [hookReceived.type, runSignalled.type];

/** `publishes`: by hook, the event types of its triggers. */
export function seenEvent(event: LoggedEvent, publishes: ReadonlyMap<string, ReadonlySet<string>>): SeenEvent {
  const { sequence, time, type, body, source, readers } = event;
  const own = { sequence, time, source, readers, body: (asked: string) => (asked === type ? body : body.data) };
  if (type === runSignalled.type)
    return { ...own, types: typesOf(type, [body.type]), hook: null, run: String(body.run_id) };
  if (type !== hookReceived.type) return { ...own, types: new Set([type]), hook: null, run: null };
  const hook = String(body.hook);
  return { ...own, types: typesOf(type, [body.type, ...(publishes.get(hook) ?? [])]), hook, run: null };
}

/** A hook or a signal never publishes types of the service. */
const typesOf = (own: string, published: readonly unknown[]): Set<string> =>
  new Set([own, ...published.filter((type) => typeof type === "string" && !isCatalogueType(type))] as string[]);

/** Names in a trigger's expressions: there is no run yet. */
export const triggerNames = (body: unknown, time: number): Names => ({
  input: {},
  steps: {},
  run: {},
  now: new Date(time),
  event: body,
});

/**
 * The body with which an event fires a trigger of a workflow; undefined: it does not, as what the workflow's own runs cause never does, since they would go on
 * for ever. Throws an `ExpressionFault`. `holds`: whether its condition holds.
 */
export function firingBody(
  trigger: Trigger,
  workflow: string,
  event: SeenEvent,
  holds: (where: string, names: Names) => boolean,
): unknown {
  if (event.run !== null || event.source === workflow) return undefined;
  if ("hook" in trigger) return event.hook === trigger.hook ? event.body("") : undefined;
  if (!("event" in trigger) || !event.types.has(trigger.event)) return undefined;
  const body = event.body(trigger.event);
  if (trigger.where !== undefined && !holds(trigger.where, triggerNames(body, event.time))) return undefined;
  return body;
}

export const awaitedBy = (wait: Wait): readonly EventWait[] =>
  wait.any_of ?? (wait.event === undefined ? [] : [{ event: wait.event, ...(wait.where && { where: wait.where }) }]);

/** A waiting run as its `where` sees it. */
export interface Waiting {
  readonly run: string;
  readonly state: Pick<RunState, "input" | "run" | "event">;
  readonly facts: Readonly<Record<string, StepFacts>>;
  /** Milliseconds since the epoch: earlier events do not count. */
  readonly since: number;
}

export interface OpenWait extends Waiting {
  readonly wait: Wait;
  readonly type: string;
  /** Events up to this sequence do not count. */
  readonly looked: number;
}

/** The first event that ends each wait; `events` are in order. One event may end many waits. */
export function firstMatches<W extends OpenWait>(
  waits: readonly W[],
  events: readonly SeenEvent[],
  judgements: Pick<Judgements, "holds">,
  mayRead: (wait: W, event: SeenEvent) => boolean = () => true,
): Map<W, { readonly sequence: number; readonly body: unknown }> {
  const byType = new Map<string, SeenEvent[]>();
  for (const event of events) for (const type of event.types) byType.set(type, [...(byType.get(type) ?? []), event]);
  const matches = new Map<W, { sequence: number; body: unknown }>();
  for (const wait of waits) {
    const fits = (event: SeenEvent): boolean =>
      event.sequence > wait.looked && mayRead(wait, event) && ends(wait, event, judgements);
    const found = (byType.get(wait.type) ?? []).find(fits);
    if (found) matches.set(wait, { sequence: found.sequence, body: found.body(wait.type) });
  }
  return matches;
}

function ends(
  { wait, type, run, state, facts, since }: OpenWait,
  event: SeenEvent,
  judgements: Pick<Judgements, "holds">,
): boolean {
  if (event.time < since || (event.run !== null && event.run !== run)) return false;
  // In a wait `event` is the matched event, not the one that began the run.
  const { input, run: own } = state;
  const names = { input, run: own, steps: facts, now: new Date(event.time), event: event.body(type) };
  return awaitedBy(wait).some(({ event: asked, where }) => {
    if (asked !== type) return false;
    return where === undefined || isHeld(judgements, where, names, () => keyOfWait(run, facts, event, where));
  });
}

/** A wait's condition reads the run's input, the event, and facts of steps, which may change while it waits. */
const keyOfWait = (run: string, facts: OpenWait["facts"], { sequence }: SeenEvent, where: string): string =>
  JSON.stringify([run, sequence, where, facts], (_name, value) => (typeof value === "bigint" ? Number(value) : value));

/** A `where` with a fault is false. */
function isHeld(judgements: Pick<Judgements, "holds">, ...asked: Parameters<Judgements["holds"]>): boolean {
  try {
    return judgements.holds(...asked);
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    return false;
  }
}

/** Conditions of one match: evaluated here for about a millisecond, the rest by a thread, after which the match is repeated with the results. */
export class Judgements {
  readonly #known: ReadonlyMap<string, Judgement>;
  readonly #budget = new Budget({
    perExpression: conditionBounds.one,
    total: Number.POSITIVE_INFINITY,
    here: conditionBounds.here,
  });
  #isFull = false;
  /** For a thread to evaluate first. */
  readonly left: Question[] = [];

  constructor(known: ReadonlyMap<string, Judgement>) {
    this.#known = known;
  }

  /** Whether a condition holds; false too while it is {@link left}. Throws an `ExpressionFault`. `keyOf` identifies it. */
  holds(where: string, names: Names, keyOf: () => string): boolean {
    const known = this.#known.size === 0 ? undefined : this.#known.get(keyOf());
    const judgement = known ?? this.#here({ where, names });
    if (!judgement) this.left.push({ key: keyOf(), where, names });
    if (!judgement) return false;
    if ("value" in judgement) return judgement.value;
    const { source, message, code } = judgement.fault;
    throw new ExpressionFault(source, message, code);
  }

  #here(question: Pick<Question, "where" | "names">): Judgement | undefined {
    if (this.#isFull) return undefined;
    try {
      return judgeHere(question, this.#budget);
    } catch (error) {
      if (!(error instanceof NeedsThread)) throw error;
      this.#isFull = true;
      return undefined;
    }
  }
}
