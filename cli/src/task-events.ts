import { operations } from "@aos/sdk/operations";
import { type Following, type Reply, type Service, StreamRefused } from "./http.ts";
import { timeOf } from "./output/text.ts";
import { problemOf } from "./problems.ts";
import { exits, now, painter, printable, type Terminal } from "./terminal.ts";

export interface TaskEvent {
  readonly sequence: number;
  readonly type: string;
  readonly time: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface TaskResult {
  readonly task_id: string;
  readonly status: string;
  readonly final: boolean;
  readonly output: unknown;
  readonly failure: { readonly code: string; readonly detail: string } | null;
  readonly trust_score: number;
}

/** The events that a task has had, oldest first. Returns the refusal where there is one. */
export async function pastOf(service: Service, task: string, after = "0"): Promise<readonly TaskEvent[] | Reply> {
  const events: TaskEvent[] = [];
  for (let last = after; ; last = String(events.at(-1)?.sequence)) {
    const reply = await service.call(
      "GET",
      `/v1/tasks/${encodeURIComponent(task)}/events?limit=100&after=${encodeURIComponent(last)}`,
    );
    if (problemOf(reply) !== null) return reply;
    const { data, has_more } = reply.body as { data: readonly TaskEvent[]; has_more: boolean };
    events.push(...data);
    if (!has_more || data.length === 0) return events;
  }
}

const end = /^task\.(completed|failed|rejected|expired|blocked|cancelled)$/;

export const resultOf = (service: Service, task: string): Promise<Reply> =>
  service.call("GET", `/v1/tasks/${encodeURIComponent(task)}/result`);

/** Also if the task cannot be read. */
export const hasEnded = (reply: Reply): boolean => problemOf(reply) !== null || (reply.body as TaskResult).final;

/** The events of a task as they come, until it has ended. Their time is when they came. Throws StreamRefused. */
export async function* storyOf(service: Service, task: string, following: Following): AsyncGenerator<TaskEvent, void> {
  for await (const { id, type, data } of service.follow(operations["tasks.listTaskEvents"], { task }, following)) {
    yield { sequence: Number(id), type, time: new Date(now()).toISOString(), data: data as TaskEvent["data"] };
    if (end.test(type) && hasEnded(await resultOf(service, task))) return; // what ended may have been tried again since
  }
}

/** The answer in the place of a stream; rethrows what is none. */
export function refusalOf(error: unknown): Reply {
  if (error instanceof StreamRefused) return error.reply;
  throw error;
}

/** An event in a line: when, what, and what is particular about it. */
export function eventLine({ time, type, data }: TaskEvent, terminal: Terminal): string {
  const paint = painter(terminal);
  const name = type.replace(/^task\./, "");
  const colour = /^(completed|approved)$/.test(name)
    ? paint.added
    : /^(failed|blocked|rejected|expired|cancelled)$/.test(name)
      ? paint.removed
      : paint.changed;
  return `${paint.faint(timeOf(time))}  ${colour(printable(type).padEnd(22))}  ${particulars(data)}`.trimEnd();
}

/** What an event says that its name and its task do not. */
export function particulars(data: Readonly<Record<string, unknown>>): string {
  const known = new Set(["event", "task_id", "agent", "task", "status", "audit_ref", "summary"]);
  const rest = Object.entries(data).filter(
    ([name, value]) => !known.has(name) && value !== null && typeof value !== "object",
  );
  const told = rest.map(([name, value]) => `${name} ${value}`).join(", ");
  // A summary is made of sentences.
  return printable(data.summary === undefined ? told : `${data.summary} ${told}`.trimEnd());
}

/** The exit status of a task's end: 0 completed, 2 cancelled, else 1. */
export const exitOfTask = (status: string): number =>
  status === "completed" ? exits.done : status === "cancelled" ? exits.cancelled : exits.failed;
