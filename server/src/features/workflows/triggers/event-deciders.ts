import { eventPositionRows, eventRows } from "../../../audit-log/shared-rows.ts";
import { all, select } from "../../../db/scoped.ts";
import { asEarlier, type Decider, storedDeciders, storedPersons, unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { definePort, type PortReader } from "../../../kernel/port.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { keyDeciders } from "../../admin/public.ts";
import { recordedCallers } from "../../audit/public.ts";
import { decidersOfTask } from "../../tasks/public.ts";
import { hookReceived } from "../hooks/events.ts";
import { hookDeciders } from "../hooks/facts.ts";

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
const causeJson = storedJson<{ body: Readonly<Record<string, unknown>> }>();

/** Who decided the words of an object that events about it may repeat. */
type Find = (ctx: WriteContext, id: string) => Promise<Deciders>;

/** By the prefix of the object's id (`msn`), or by its kind (`trigger`, in `trigger:wtr_…`). */
export type EventSubjects = ReadonlyMap<string, Find>;
export const eventSubjects = definePort<EventSubjects>("who decided what the objects of events say");

/** The deciders of events by their sequences. Queried only for those that start a run or end a wait. */
export async function decidersOfEvents(
  ctx: WriteContext,
  sequences: readonly number[],
): Promise<ReadonlyMap<number, Deciders>> {
  const events = await readCauses(ctx, sequences);
  const records = events.flatMap(({ audit_id: record }) => record ?? []);
  const callers = await recordedCallers(ctx, [...new Set(records)]);
  // At once, so that their queries are batched.
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

/** Those stored with the event; else its task's; else its caller, and the deciders of what its body names. */
async function decidersOf(ctx: WriteContext, event: CausedEvent, called: Deciders): Promise<Deciders> {
  const stored = storedDeciders(event.deciders);
  if (stored.length > 0) return stored;
  const body = causeJson(event, "body");
  if (event.type === hookReceived.type) return hookDeciders(ctx, String(body.hook));
  const persons =
    event.task_id !== null
      ? await decidersOfTask(ctx, event.task_id)
      : unite(called, ...(await Promise.all(subjectsOf(ctx, body).map(({ find, id }) => find(ctx, id)))));
  return unite(asEarlier(persons, "event", `event:${event.id}`));
}

/** The objects that an event's body names and whose deciders are known. */
export function subjectsOf(
  { port }: PortReader,
  body: Readonly<Record<string, unknown>>,
): { readonly find: Find; readonly id: string }[] {
  const subjects: EventSubjects = new Map<string, Find>([
    ...port(eventSubjects),
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
     from ${eventPositionRows} p join ${eventRows} e on e.organization = p.organization and e.environment = p.environment and e.id = p.event_id
     where p.organization = $1 and p.environment = $2 and p.sequence = any($3::bigint[])`,
    [scope.organization, scope.environment, [...new Set(sequences)]],
  );
  return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }));
}

/** The task that an event is about, by the event's sequence; null: it is about none, such as one that arrived at a hook. */
export async function taskOfEvent(ctx: WriteContext, sequence: number): Promise<string | null> {
  return (await readCauses(ctx, [sequence]))[0]?.task_id ?? null;
}
