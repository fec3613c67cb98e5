import { failureOfFault } from "@aos/workflow";
import type { WriteContext } from "../../../../kernel/context.ts";
import type { BusinessFailure } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { wakeRun } from "../../../tasks/public.ts";
import type { Judgement, Question } from "../../expression-work.ts";
import {
  type LoadedWait,
  type LookedAt,
  listWaits,
  loadWaits,
  mostBehind,
  type WaitRow,
  writeLooks,
} from "../../runs/wait-store.ts";
import { decidersOfEvents } from "../event-deciders.ts";
import { eventReaders, eventsAtOnce, lockHead, moveHead, readEvents, sequenceBefore } from "../event-store.ts";
import { insertFirings, type NewFiring, noteFailure, occasionOf } from "../firing-store.ts";
import { firingBody, firstMatches, Judgements, type SeenEvent, seenEvent, storedTypesOf } from "../matching.ts";
import type { TriggerRow } from "../resource.ts";
import { hearingTriggers } from "../store.ts";

export interface MatchEvents {
  readonly upTo: number;
  /** Results of a thread for conditions that an earlier call left open. */
  readonly judged: ReadonlyMap<string, Judgement>;
}

export interface MatchedEvents {
  /** The last event that was matched. */
  readonly head: number;
  /** Some waits have not caught up with earlier events. */
  readonly more: boolean;
  /** Conditions that a thread has to evaluate first. If there are any, nothing was changed: call again with their results. */
  readonly left: readonly Question[];
}

/** Matches the next events of an environment with triggers and waits. The position is part of the commit, so that each event counts once. */
export const matchEvents: InsideOperation<MatchEvents, MatchedEvents> = defineInside({
  id: "workflows.matchEvents",
  summary: "Match events with triggers and waits of workflows",
  permission: exempt("the sweeper of the service itself"),
  load: exempt("looks for what is new"),
  gate: exempt("starts nothing yet; each run that is started is a call of its own"),
  compliance: exempt("starts nothing yet; each run that is started is judged by itself"),
  audit: "workflows",
  async handle(ctx, { params: { upTo, judged } }) {
    const head = await lockHead(ctx);
    const triggers = await hearingTriggers(ctx);
    const published = publishedBy(triggers);
    const judgements = new Judgements(judged);
    const behind = await catchUp(ctx, head, published, judgements);
    const read = await readEvents(ctx, { after: head, upTo, types: null });
    const to = read.length === eventsAtOnce ? (read.at(-1) as { sequence: number }).sequence : Math.max(head, upTo);
    const events = read.map((event) => seenEvent(event, published));
    const fired = await firingsOf(ctx, triggers, events, judgements);
    const waits = [...caughtUp(behind, events), ...(await waitsFor(ctx, events))];
    const ended = await matchesOf(ctx, waits, events, judgements);
    if (judgements.left.length > 0) return { head, more: true, left: judgements.left };
    await forgetLost(ctx, behind.lost);
    for (const { matched, rest } of behind.looks) await write(ctx, matched, rest);
    await fire(ctx, fired);
    await write(ctx, ended, () => ({ behind: false }));
    await moveHead(ctx, head, to);
    return { head: to, more: behind.isLeft, left: [] };
  },
});

/** By hook, the event types of its triggers. */
function publishedBy(triggers: readonly TriggerRow[]): Map<string, Set<string>> {
  const published = new Map<string, Set<string>>();
  for (const { definition } of triggers)
    if ("hook" in definition && definition.publishes !== undefined)
      published.set(definition.hook, (published.get(definition.hook) ?? new Set()).add(definition.publishes));
  return published;
}

interface Fired {
  readonly firings: { readonly sequence: number; readonly firing: Omit<NewFiring, "deciders"> }[];
  /** By trigger, the last fault of its condition. */
  readonly failures: Map<string, BusinessFailure>;
}

async function firingsOf(
  ctx: WriteContext,
  triggers: readonly TriggerRow[],
  events: readonly SeenEvent[],
  judgements: Judgements,
): Promise<Fired> {
  const reads = await eventReaders(ctx, triggers);
  const fired: Fired = { firings: [], failures: new Map() };
  for (const trigger of triggers)
    for (const event of events) {
      if (event.time < trigger.created_at.getTime() || !reads(trigger, event)) continue;
      const body = bodyFor(trigger, event, judgements, fired);
      if (body !== undefined) fired.firings.push({ sequence: event.sequence, firing: firingOf(trigger, event, body) });
    }
  return fired;
}

async function fire(ctx: WriteContext, { firings, failures }: Fired): Promise<void> {
  for (const [trigger, failure] of failures) await noteFailure(ctx, trigger, failure);
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

function bodyFor(
  { id, definition, workflow }: TriggerRow,
  event: SeenEvent,
  judgements: Judgements,
  { failures }: Fired,
): unknown {
  try {
    return firingBody(definition, workflow, event, (where, names) =>
      judgements.holds(where, names, () => JSON.stringify([id, event.sequence, where])),
    );
  } catch (error) {
    failures.set(id, failureOfFault(error, `where could not be evaluated for event ${event.sequence}: `));
    return undefined;
  }
}

async function waitsFor(ctx: WriteContext, events: readonly SeenEvent[]): Promise<LoadedWait[]> {
  const types = [...new Set(events.flatMap((event) => [...event.types]))];
  if (types.length === 0) return [];
  return loadWaits(ctx, await listWaits(ctx, false, types));
}

interface Matched {
  readonly waits: readonly LoadedWait[];
  readonly matches: ReturnType<typeof firstMatches<LoadedWait>>;
}
/** The position of a wait without a match. */
type Rest = (wait: LoadedWait) => { readonly behind: boolean; readonly looked?: number };

async function matchesOf(
  ctx: WriteContext,
  waits: readonly LoadedWait[],
  events: readonly SeenEvent[],
  judgements: Judgements,
): Promise<Matched> {
  if (waits.length === 0) return { waits, matches: new Map() };
  const reads = await eventReaders(ctx, waits);
  return { waits, matches: firstMatches(waits, events, judgements, (wait, event) => reads(wait, event)) };
}

/** Ends the waits that events match, and wakes their runs. */
async function write(ctx: WriteContext, { waits, matches }: Matched, rest: Rest): Promise<void> {
  if (waits.length === 0) return;
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

interface Behind {
  readonly looks: { readonly matched: Matched; readonly rest: Rest }[];
  /** Waits whose step is no longer in their run's version. */
  readonly lost: readonly WaitRow[];
  readonly isLeft: boolean;
}

/** Matches waits that have just begun with the events that they missed. */
async function catchUp(
  ctx: WriteContext,
  head: number,
  published: ReadonlyMap<string, ReadonlySet<string>>,
  judgements: Judgements,
): Promise<Behind> {
  const rows = await listWaits(ctx, true, null);
  const waits = await loadWaits(ctx, rows);
  const known = new Set(waits.map(({ row }) => row));
  const looks: Behind["looks"] = [];
  let isLeft = rows.length === mostBehind;
  for (const [type, some] of Map.groupBy(waits, (wait) => wait.type)) {
    const since = Math.min(...some.map((wait) => wait.since));
    const begin = (await sequenceBefore(ctx, since)) ?? head;
    const after = Math.max(begin, Math.min(...some.map((wait) => wait.looked)));
    const read = await readEvents(ctx, { after, upTo: head, types: storedTypesOf(type), since });
    const last = read.length === eventsAtOnce ? (read.at(-1) as { sequence: number }).sequence : null;
    if (last !== null) isLeft = true;
    const events = read.map((event) => seenEvent(event, published));
    const rest: Rest = ({ looked }) =>
      last === null ? { behind: false } : { behind: true, looked: Math.max(looked, last) };
    looks.push({ matched: await matchesOf(ctx, some, events, judgements), rest });
  }
  return { looks, lost: rows.filter((row) => !known.has(row)), isLeft };
}

/** Waits that have caught up with this batch and still wait: they see the new events too. */
function caughtUp({ looks }: Behind, events: readonly SeenEvent[]): LoadedWait[] {
  const types = new Set(events.flatMap((event) => [...event.types]));
  return looks.flatMap(({ matched: { waits, matches }, rest }) =>
    waits.filter((wait) => types.has(wait.type) && !matches.has(wait) && !rest(wait).behind),
  );
}

async function forgetLost(ctx: WriteContext, lost: readonly WaitRow[]): Promise<void> {
  await writeLooks(
    ctx,
    lost.map((row) => ({ row, matched: undefined, looked: row.looked, behind: false })),
  );
}
