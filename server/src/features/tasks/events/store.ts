import { eventRows } from "../../../audit-log/shared-rows.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { lowestId, timeOfId } from "../../../kernel/ids.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { madeAt } from "../../../kernel/moment.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { TaskEvent } from "../ports.ts";
import type { TaskState } from "../schemas.ts";

// A task's events as they are stored. Their sequence is made under the lock of the task's row and committed with it: what is above a sequence that
// somebody has seen comes later in every process, so that "above it, in order" neither loses nor doubles.

/** How far the clocks of processes may differ (milliseconds): an event's id may be so much older than its task's. */
const skewMs = 86_400_000;

/** The lowest id that an event or step of a task can have, which excludes other months' partitions. */
export function lowestOfTask(prefix: "evt" | "stp", taskId: string): string {
  return lowestId(prefix, Math.max(0, (timeOfId(taskId) ?? 0) - skewMs));
}

interface EventRow {
  sequence: number;
  event_id: string;
  type: string;
  body: string;
}

const eventJson = storedJson<{ body: TaskEvent["data"] }>();

function eventOfRow(row: EventRow): TaskEvent {
  const { sequence, event_id, type } = row;
  return { sequence, event_id, type, time: madeAt(event_id), data: eventJson(row, "body") };
}

export async function listTaskEvents(
  ctx: ReadContext,
  task: string,
  after: number,
  take: number,
): Promise<TaskEvent[]> {
  const rows = await ctx.db.query<EventRow>(
    `select task_sequence as sequence, id as event_id, type, body from ${eventRows} events
     where organization = $1 and environment = $2 and task_id = $3 and task_sequence > $4 and id >= $5
     order by task_sequence limit $6`,
    [ctx.scope.organization, ctx.scope.environment, task, after, lowestOfTask("evt", task), take],
  );
  return rows.map(eventOfRow);
}

/** A followed task, and the last event that its follower has. */
export interface Followed {
  readonly scope: Scope;
  readonly task: string;
  readonly after: number;
}

/** New events of a followed task, as of one moment. */
export interface News {
  /** Its index in the list that was asked for. */
  readonly place: number;
  readonly status: TaskState;
  /** The sequence of its newest event. */
  readonly newest: number;
  /** Oldest first, and at most as many as were asked for. */
  readonly events: readonly TaskEvent[];
}

interface NewsRow extends Omit<EventRow, "sequence"> {
  place: number;
  status: TaskState;
  newest: number;
  sequence: number | null;
}

/** News of all these tasks in one statement. A task that is gone has none. `most`: events per task. */
export async function readNews(db: Statements, followed: readonly Followed[], most: number): Promise<News[]> {
  const rows = await db.query<NewsRow>(
    `select f.place::int as place, t.status, t.event_count as newest, e.sequence, e.event_id, e.type, e.body
     from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::text[]) with ordinality
       as f(organization, environment, task, after, lowest, place)
     join tasks t on t.organization = f.organization and t.environment = f.environment and t.id = f.task
     left join lateral (
       select task_sequence as sequence, id as event_id, type, body from ${eventRows} events
       where organization = f.organization and environment = f.environment and task_id = f.task and task_sequence > f.after and id >= f.lowest
         and t.event_count > f.after
       order by task_sequence limit $6) e on true
     order by f.place, e.sequence`,
    [
      followed.map(({ scope }) => scope.organization),
      followed.map(({ scope }) => scope.environment),
      followed.map(({ task }) => task),
      followed.map(({ after }) => after),
      followed.map(({ task }) => lowestOfTask("evt", task)),
      most,
    ],
  );
  const news = new Map<number, News & { events: TaskEvent[] }>();
  for (const { place, status, newest, sequence, ...row } of rows) {
    let one = news.get(place);
    if (!one) {
      one = { place: place - 1, status, newest, events: [] };
      news.set(place, one);
    }
    if (sequence !== null) one.events.push(eventOfRow({ sequence, ...row }));
  }
  return [...news.values()];
}
