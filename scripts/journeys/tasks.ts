import { setTimeout as delay } from "node:timers/promises";
import type { Call } from "./client.ts";
import type { Case } from "./definition.ts";
import type { EndedTask } from "./figures.ts";
import { portions } from "./split.ts";

/** Items of a batch, and batches on their way at once. */
const BATCH = { items: 100, bytes: 900_000, together: 4 } as const;
/** Items that a busy service refuses for now are sent again, so often and after so long. */
const LATER = { statuses: [429, 503], tries: 30, ms: 1000 };
/** How often a wave of tasks is looked at. */
const POLL_MS = 200;
/** How long none of its tasks may end. */
const PATIENCE_MS = 120_000;

/** Does something with each item, `width` at a time, in their order; answers in that order. */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T, at);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
}

export interface Wave {
  readonly agent: string;
  readonly skill: string;
  /** By which the wave's tasks are distinguished from others. */
  readonly label: string;
  readonly cases: readonly Case[];
  /** How long none of its tasks may end before it counts as stuck; two minutes by default. */
  readonly patienceMs?: number;
}

export interface WaveEnd {
  /** In the order of the cases. */
  readonly tasks: readonly EndedTask[];
  /** From the first dispatch's acceptance to the last end, by the service's clock. */
  readonly seconds: number;
}

/** Dispatches a task for each case, in batches, waits until none is open any more, and reads what came of them. Throws where one is refused, or nothing ends for long. */
export async function runWave(call: Call, wave: Wave): Promise<WaveEnd> {
  const ids = await dispatch(call, wave);
  await untilEnded(call, wave);
  const found = await readTasks(call, wave);
  const tasks = ids.map((id) => {
    const task = found.get(id);
    if (!task) throw new Error(`the task ${id} was accepted and is not among the tasks of label ${wave.label}`);
    return task;
  });
  const begins = tasks.map(({ created_at }) => Date.parse(created_at));
  const ends = tasks.map(({ finished_at, created_at }) => Date.parse(finished_at ?? created_at));
  return { tasks, seconds: (Math.max(...ends) - Math.min(...begins)) / 1000 };
}

interface BatchAnswer {
  readonly results: readonly {
    readonly status: number;
    readonly body: { readonly task_id: string; readonly detail?: string };
  }[];
}

interface TaskPage {
  readonly data: readonly EndedTask[];
  readonly next_cursor: string | null;
}

async function dispatch(call: Call, { agent, skill, label, cases }: Wave): Promise<string[]> {
  const items = cases.map(({ input }) => ({ agent, task: skill, input, labels: [label] }));
  const accepted = await inParallel(portions(items, BATCH.items, BATCH.bytes), BATCH.together, async (portion) => {
    const ids = new Map<object, string>();
    for (let tried = 1; ids.size < portion.length; tried++) {
      const left = portion.filter((item) => !ids.has(item));
      const { body } = await call<BatchAnswer>("POST", "/v1/tasks/batch", { body: { items: left } });
      for (const [at, { status, body: one }] of body.results.entries()) {
        if (status === 202) ids.set(left[at] as object, one.task_id);
        else if (tried === LATER.tries || !LATER.statuses.includes(status))
          throw new Error(`a dispatch was answered ${status}: ${one.detail ?? ""}`);
      }
      if (ids.size < portion.length) await delay(LATER.ms);
    }
    return portion.map((item) => ids.get(item) as string);
  });
  return accepted.flat();
}

const open = "queued,running,awaiting_approval,input_required";

/** Waits until no task of the wave is open. Throws where none has ended for long: such as where all that are open wait for people. */
async function untilEnded(call: Call, { agent, label, patienceMs = PATIENCE_MS }: Wave): Promise<void> {
  const query = new URLSearchParams({ agent, label, status: open, limit: "1" });
  let ended = 0;
  let since = performance.now();
  for (;;) {
    const { body } = await call<TaskPage>("GET", `/v1/tasks?${query}`);
    const [task] = body.data;
    if (!task) return;
    if (performance.now() - since > patienceMs) {
      const before = ended;
      ended = [...(await readTasks(call, { agent, label })).values()].filter(
        ({ finished_at }) => finished_at !== null,
      ).length;
      if (ended === before)
        throw new Error(`no task has ended for ${patienceMs / 1000} s; ${task.task_id} is ${task.status}`);
      since = performance.now();
    }
    await delay(POLL_MS);
  }
}

async function readTasks(call: Call, { agent, label }: Pick<Wave, "agent" | "label">): Promise<Map<string, EndedTask>> {
  const found = new Map<string, EndedTask>();
  for (let cursor = ""; ; ) {
    const query = new URLSearchParams({ agent, label, limit: "100", ...(cursor && { cursor }) });
    const { body } = await call<TaskPage>("GET", `/v1/tasks?${query}`);
    for (const task of body.data) found.set(task.task_id, task);
    if (body.next_cursor === null) return found;
    cursor = body.next_cursor;
  }
}
