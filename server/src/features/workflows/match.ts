import { type EventWait, ExpressionFault, type RunState, type StepFacts, type Trigger, type Wait } from "@aos/workflow";
import { eventCatalogue } from "../../kernel/events.ts";
import type { Readers } from "../../kernel/readers.ts";
import type { Names } from "./expression-work.ts";
import { hookReceived, runSignalled } from "./hook-events.ts";
import type { Judgements } from "./judgements.ts";

// Which events triggers and waits are about. Pure.

/** An event of the log. */
export interface LoggedEvent {
  readonly sequence: number;
  readonly type: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The workflow by whose run it came about; null: by none. */
  readonly source: string | null;
  /** The lists of readers of the object that it is about; null: it has none. */
  readonly readers: readonly Readers[] | null;
}

/** An event as triggers and waits see it. */
export interface SeenEvent {
  readonly sequence: number;
  readonly time: number;
  /** By which types it is known: its own, and what a hook or a signal publishes with it. */
  readonly types: ReadonlySet<string>;
  /** `event` in expressions, by the type under which it is looked at. */
  body(type: string): unknown;
  /** The hook that was called; null: none. */
  readonly hook: string | null;
  /** The run that alone hears it; null: everybody does. */
  readonly run: string | null;
  readonly source: string | null;
  readonly readers: readonly Readers[] | null;
}

let known: ReadonlySet<string> | undefined;

/** Whether a type is one of the event catalogue: those the service alone publishes. */
export function isCatalogueType(type: string): boolean {
  known ??= new Set(eventCatalogue().map((one) => one.type));
  return known.has(type);
}

/** Types under which events of a type are stored. */
export const storedTypesOf = (type: string): readonly string[] =>
  isCatalogueType(type) ? [type] : [hookReceived.type, runSignalled.type];

/** `publishes`: by hook, what hook triggers say that its calls publish. */
export function seenEvent(event: LoggedEvent, publishes: ReadonlyMap<string, ReadonlySet<string>>): SeenEvent {
  const { sequence, time, type, body, source, readers } = event;
  const own = { sequence, time, source, readers, body: (asked: string) => (asked === type ? body : body.data) };
  if (type === runSignalled.type)
    return { ...own, types: typesOf(type, [body.type]), hook: null, run: String(body.run_id) };
  if (type !== hookReceived.type) return { ...own, types: new Set([type]), hook: null, run: null };
  const hook = String(body.hook);
  return { ...own, types: typesOf(type, [body.type, ...(publishes.get(hook) ?? [])]), hook, run: null };
}

/** A hook or a signal never publishes what only the service does. */
const typesOf = (own: string, published: readonly unknown[]): Set<string> =>
  new Set([own, ...published.filter((type) => typeof type === "string" && !isCatalogueType(type))] as string[]);

/** What expressions of a trigger see: there is no run yet. */
export const triggerNames = (body: unknown, time: number): Names => ({
  ...{ input: {}, steps: {}, run: {} },
  ...{ now: new Date(time), event: body },
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

/** What a wait listens for. */
export const awaitedBy = (wait: Wait): readonly EventWait[] =>
  wait.any_of ?? (wait.event === undefined ? [] : [{ event: wait.event, ...(wait.where && { where: wait.where }) }]);

/** A run that waits, as its `where` sees it. */
export interface Waiting {
  readonly run: string;
  readonly state: Pick<RunState, "input" | "run" | "event">;
  readonly facts: Readonly<Record<string, StepFacts>>;
  /** Milliseconds since the epoch: earlier events do not count. */
  readonly since: number;
}

/** A step that waits for events of a type. */
export interface OpenWait extends Waiting {
  readonly wait: Wait;
  readonly type: string;
  /** Events up to this sequence do not count. */
  readonly looked: number;
}

/** The first event that ends each wait, by the wait; `events` are in order. One event ends as many waits as it fits. */
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
  // In a wait `event` is what it looks at, not what began the run.
  const { input, run: own } = state;
  const names = { input, run: own, steps: facts, now: new Date(event.time), event: event.body(type) };
  return awaitedBy(wait).some(({ event: asked, where }) => {
    if (asked !== type) return false;
    return where === undefined || isHeld(judgements, where, names, () => keyOfWait(run, facts, event, where));
  });
}

/** What a condition of a wait reads besides the run's input and the event are facts of steps, which may change while it waits. */
const keyOfWait = (run: string, facts: OpenWait["facts"], { sequence }: SeenEvent, where: string): string =>
  JSON.stringify([run, sequence, where, facts], (_name, value) => (typeof value === "bigint" ? Number(value) : value));

/** A `where` that cannot be evaluated does not hold. */
function isHeld(judgements: Pick<Judgements, "holds">, ...asked: Parameters<Judgements["holds"]>): boolean {
  try {
    return judgements.holds(...asked);
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    return false;
  }
}
