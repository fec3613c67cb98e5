import { ExpressionFault } from "@aos/workflow";
import type { WriteContext } from "../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { wakeRun } from "../../tasks/public.ts";
import { eventsAtOnce, lockHead, moveHead, readEvents, sequenceBefore } from "../event-cursor.ts";
import { decidersOfEvents } from "../event-deciders.ts";
import { eventReaders } from "../event-readers.ts";
import { insertFirings, type NewFiring, noteFailure, occasionOf } from "../firing-store.ts";
import { firingBody, firstMatches, type SeenEvent, seenEvent, storedTypesOf } from "../match.ts";
import { hearingTriggers, type TriggerRow } from "../trigger-store.ts";
import {
  type LoadedWait,
  type LookedAt,
  listWaits,
  loadWaits,
  mostBehind,
  type WaitRow,
  writeLooks,
} from "../wait-store.ts";

export interface MatchEvents {
  /** Events up to this sequence. */
  readonly upTo: number;
}

export interface MatchedEvents {
  /** Up to which event the environment was looked at. */
  readonly head: number;
  /** Waits are left that have not been looked at from their beginning. */
  readonly more: boolean;
}

/** Looks which triggers and waits the next events of an environment are about: one commit with how far it came, so that each event counts once. */
export const matchEvents: InsideOperation<MatchEvents, MatchedEvents> = defineInside({
  id: "workflows.matchEvents",
  summary: "Match events with triggers and waits of workflows",
  permission: exempt("the sweeper of the service itself"),
  load: exempt("looks for what is new"),
  gate: exempt("starts nothing yet; each run that is started is a call of its own"),
  compliance: exempt("starts nothing yet; each run that is started is judged by itself"),
  audit: "workflows",
  async handle(ctx, { params: { upTo } }) {
    const head = await lockHead(ctx);
    const triggers = await hearingTriggers(ctx);
    const published = publishedBy(triggers);
    const more = await catchUp(ctx, head, published);
    const read = await readEvents(ctx, { after: head, upTo, types: null });
    const to = read.length === eventsAtOnce ? (read.at(-1) as { sequence: number }).sequence : Math.max(head, upTo);
    const events = read.map((event) => seenEvent(event, published));
    await fire(ctx, triggers, events);
    await endWaits(ctx, await waitsFor(ctx, events), events);
    await moveHead(ctx, head, to);
    return { head: to, more };
  },
});

/** By hook, the types of events that hook triggers say its calls publish. */
function publishedBy(triggers: readonly TriggerRow[]): Map<string, Set<string>> {
  const published = new Map<string, Set<string>>();
  for (const { definition } of triggers)
    if ("hook" in definition && definition.publishes !== undefined)
      published.set(definition.hook, (published.get(definition.hook) ?? new Set()).add(definition.publishes));
  return published;
}

async function fire(ctx: WriteContext, triggers: readonly TriggerRow[], events: readonly SeenEvent[]): Promise<void> {
  const reads = await eventReaders(ctx, triggers);
  const firings: { sequence: number; firing: Omit<NewFiring, "deciders"> }[] = [];
  for (const trigger of triggers)
    for (const event of events) {
      if (event.time < trigger.created_at.getTime() || !reads(trigger, event)) continue;
      const body = await bodyFor(ctx, trigger, event);
      if (body !== undefined) firings.push({ sequence: event.sequence, firing: firingOf(trigger, event, body) });
    }
  const deciders = await decidersOfEvents(
    ctx,
    firings.map(({ sequence }) => sequence),
  );
  await insertFirings(
    ctx,
    firings.map(({ sequence, firing }) => ({ ...firing, deciders: deciders.get(sequence) ?? [] })),
  );
}

const firingOf = ({ id, workflow }: TriggerRow, { sequence, time }: SeenEvent, body: unknown) => ({
  trigger_id: id,
  workflow,
  occasion: occasionOf(sequence),
  at: new Date(time),
  event: JSON.stringify(body),
});

async function bodyFor(ctx: WriteContext, trigger: TriggerRow, event: SeenEvent): Promise<unknown> {
  try {
    return firingBody(trigger.definition, trigger.workflow, event);
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    const detail = `where could not be evaluated for event ${event.sequence}: ${error.source}: ${error.message}`;
    await noteFailure(ctx, trigger.id, { code: "expression_failed", detail });
    return undefined;
  }
}

async function waitsFor(ctx: WriteContext, events: readonly SeenEvent[]): Promise<LoadedWait[]> {
  const types = [...new Set(events.flatMap((event) => [...event.types]))];
  if (types.length === 0) return [];
  return loadWaits(ctx, await listWaits(ctx, false, types));
}

/** Ends the waits that events are for, and wakes their runs. */
async function endWaits(ctx: WriteContext, waits: readonly LoadedWait[], events: readonly SeenEvent[]): Promise<void> {
  await look(ctx, waits, events, () => ({ behind: false }));
}

async function look(
  ctx: WriteContext,
  waits: readonly LoadedWait[],
  events: readonly SeenEvent[],
  rest: (wait: LoadedWait) => { readonly behind: boolean; readonly looked?: number },
): Promise<void> {
  if (waits.length === 0) return;
  const reads = await eventReaders(ctx, waits);
  const matches = firstMatches(waits, events, (wait, event) => reads(wait, event));
  const found = [...matches.values()].map(({ sequence }) => sequence);
  const deciders = await decidersOfEvents(ctx, found);
  const looks = waits.flatMap((wait): LookedAt[] => {
    const match = matches.get(wait);
    const matched = match && { ...match, deciders: deciders.get(match.sequence) ?? [] };
    const { behind, looked = wait.looked } = rest(wait);
    if (!matched && !wait.row.behind) return [];
    return [{ row: wait.row, matched, looked, behind: behind && !matched }];
  });
  await writeLooks(ctx, looks);
  for (const run of new Set([...matches.keys()].map((wait) => wait.run))) ctx.enqueue(wakeRun(ctx.scope, run));
}

/** Looks at what waits that have just begun have missed, up to the head. Returns whether some are left. */
async function catchUp(
  ctx: WriteContext,
  head: number,
  published: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<boolean> {
  const rows = await listWaits(ctx, true, null);
  const waits = await loadWaits(ctx, rows);
  await forgetLost(ctx, rows, waits);
  let isLeft = rows.length === mostBehind;
  for (const [type, some] of Map.groupBy(waits, (wait) => wait.type)) {
    const since = Math.min(...some.map((wait) => wait.since));
    const begin = (await sequenceBefore(ctx, since)) ?? head;
    const after = Math.max(begin, Math.min(...some.map((wait) => wait.looked)));
    const read = await readEvents(ctx, { after, upTo: head, types: storedTypesOf(type), since });
    const last = read.length === eventsAtOnce ? (read.at(-1) as { sequence: number }).sequence : null;
    if (last !== null) isLeft = true;
    const events = read.map((event) => seenEvent(event, published));
    await look(ctx, some, events, ({ looked }) =>
      last === null ? { behind: false } : { behind: true, looked: Math.max(looked, last) },
    );
  }
  return isLeft;
}

/** A wait whose step is no longer in its run's version is looked at no more. */
async function forgetLost(ctx: WriteContext, rows: readonly WaitRow[], waits: readonly LoadedWait[]): Promise<void> {
  const known = new Set(waits.map(({ row }) => row));
  const lost = rows.filter((row) => !known.has(row));
  await writeLooks(
    ctx,
    lost.map((row) => ({ row, matched: undefined, looked: row.looked, behind: false })),
  );
}
