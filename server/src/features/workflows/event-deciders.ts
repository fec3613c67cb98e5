import { all, select } from "../../db/scoped.ts";
import { asEarlier, type Decider, storedDeciders, storedPersons, unite } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { definePort } from "../../kernel/port.ts";
import { keyDeciders } from "../admin/public.ts";
import { recordedCallers } from "../audit/public.ts";
import { decidersOfTask } from "../tasks/public.ts";
import { hookReceived } from "./hook-events.ts";
import { hookDeciders } from "./hook-store.ts";

interface CausedEvent {
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly task_id: string | null;
  readonly audit_id: string | null;
  readonly deciders: unknown;
}

type Deciders = readonly Decider[];

/** Who decided what an object says, in words that events about it may repeat. */
type Find = (ctx: WriteContext, id: string) => Promise<Deciders>;

/** By the prefix of the object's id (`msn`), or by its kind (`trigger`, in `trigger:wtr_…`). */
export type EventSubjects = ReadonlyMap<string, Find>;
export const eventSubjects = definePort<EventSubjects>("who decided what the objects of events say");

/** Who is accountable for what events say, by their sequences. Looked up for those alone that start a run or end a wait. */
export async function decidersOfEvents(
  ctx: WriteContext,
  sequences: readonly number[],
): Promise<ReadonlyMap<number, Deciders>> {
  const events = await readCauses(ctx, sequences);
  const records = events.flatMap(({ audit_id: record }) => record ?? []);
  const callers = await recordedCallers(ctx, [...new Set(records)]);
  // At once, so that their look-ups are joined.
  const found = await Promise.all(
    events.map(async (event): Promise<[number, Deciders]> => {
      const caller = event.audit_id === null ? undefined : callers.get(event.audit_id);
      const called = caller ? await keyDeciders(ctx, caller.principal, caller.keyId) : [];
      const persons = called.filter(({ id }) => id.startsWith("mbr_"));
      return [event.sequence, await decidersOf(ctx, event, persons)];
    }),
  );
  return new Map(found);
}

/** Those stored with the event; else those of the task that it belongs to; else its caller, and those of what its body names. */
async function decidersOf(ctx: WriteContext, event: CausedEvent, called: Deciders): Promise<Deciders> {
  const stored = storedDeciders(event.deciders);
  if (stored.length > 0) return stored;
  const body = JSON.parse(event.body) as Readonly<Record<string, unknown>>;
  if (event.type === hookReceived.type) return hookDeciders(ctx, String(body.hook));
  const persons =
    event.task_id !== null
      ? await decidersOfTask(ctx, event.task_id)
      : unite(called, ...(await Promise.all(subjectsOf(body).map(({ find, id }) => find(ctx, id)))));
  return unite(asEarlier(persons, "event", `event:${event.id}`));
}

/** The objects that the body of an event names of which it is known who decided what they say. */
export function subjectsOf(body: Readonly<Record<string, unknown>>): { readonly find: Find; readonly id: string }[] {
  const subjects: EventSubjects = new Map<string, Find>([
    ...eventSubjects(),
    ["tsk", decidersOfTask],
    ["wfr", decidersOfRun],
  ]);
  return Object.values(body).flatMap((value) => {
    if (typeof value !== "string") return [];
    const [, kind, name] = /^([a-z]+):(.+)$/.exec(value) ?? [];
    const find = subjects.get(kind ?? /^([a-z]+)_/.exec(value)?.[1] ?? "");
    return find ? [{ find, id: name ?? value }] : [];
  });
}

async function decidersOfRun(ctx: WriteContext, id: string): Promise<Deciders> {
  const [run] = await all(
    ctx,
    select(ctx, "workflow_runs", "r")
      .select(["r.actor", "r.input_deciders", "r.event_deciders"])
      .where("r.id", "=", id),
  );
  if (!run) return [];
  return unite(storedPersons(run.actor), storedDeciders(run.input_deciders), storedDeciders(run.event_deciders));
}

async function readCauses({ scope, db }: WriteContext, sequences: readonly number[]): Promise<CausedEvent[]> {
  if (sequences.length === 0) return [];
  const rows = await db.query<CausedEvent>(
    `select p.sequence, e.id, e.type, e.body, e.task_id, e.audit_id, e.deciders
     from event_positions p join events e on e.organization = p.organization and e.environment = p.environment and e.id = p.event_id
     where p.organization = $1 and p.environment = $2 and p.sequence = any($3::bigint[])`,
    [scope.organization, scope.environment, [...new Set(sequences)]],
  );
  return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }));
}
