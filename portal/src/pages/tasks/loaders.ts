import { prefetch } from "../../api/queries.ts";
import { listTaskEvents, listTaskSteps, listTasks, readTask } from "../../api/tasks.ts";
import { textOf, wordsOf } from "../../lib/search.ts";
import type { LoaderContext } from "../context.ts";

export const groups = {
  open: ["queued", "awaiting_approval", "running", "input_required"],
  completed: ["completed"],
  wrong: ["failed", "rejected", "expired", "blocked", "cancelled"],
} as const;
const statuses = [...groups.open, ...groups.completed, ...groups.wrong];
const risks = ["low", "medium", "high", "critical"] as const;

export interface TasksSearch {
  /** States, separated by commas; all by default. */
  readonly status?: string;
  readonly risk?: string;
  readonly agent?: string;
  readonly label?: string;
  /** Only tasks whose trust is below this, in percent. */
  readonly trust?: string;
  readonly cursor?: string;
  /** What a figure's link narrows the list by; each can be taken off. */
  readonly task?: string;
  readonly version?: string;
  readonly key?: string;
  readonly member?: string;
  readonly origin?: string;
  readonly judged?: string;
  readonly created_after?: string;
  readonly created_before?: string;
}
export interface TaskSearch {
  readonly tab?: string;
}

/** Filters that have no field of their own, in the words of the interface. */
export const narrowings = [
  ...(["label", "task", "version", "key", "member", "origin", "judged", "created_after", "created_before"] as const),
] as const;
const narrowingsOf = (search: Record<string, unknown>): Partial<Record<(typeof narrowings)[number], string>> =>
  Object.fromEntries(narrowings.map((name) => [name, textOf(search, name)]));

export const listSearch = (search: Record<string, unknown>): TasksSearch => ({
  status: wordsOf(search, "status", statuses)?.join(","),
  risk: wordsOf(search, "risk", risks)?.join(","),
  agent: textOf(search, "agent"),
  ...narrowingsOf(search),
  trust: /^\d{1,2}$/.test(String(search.trust)) ? String(search.trust) : undefined,
  cursor: textOf(search, "cursor"),
});
export const oneSearch = (search: Record<string, unknown>): TaskSearch => ({ tab: textOf(search, "tab") });

/** What the list shows for an address. */
export const tasksOf = (search: TasksSearch) => {
  const [status, risk] = [wordsOf({ ...search }, "status", statuses), wordsOf({ ...search }, "risk", risks)];
  return listTasks({
    limit: 25,
    ...(status ? { status } : {}),
    ...(risk ? { risk } : {}),
    ...(search.agent ? { agent: search.agent.split(",") } : {}),
    ...Object.fromEntries(Object.entries(narrowingsOf({ ...search })).filter(([, value]) => value !== undefined)),
    ...(search.trust ? { trust_below: Number(search.trust) / 100 } : {}),
    ...(search.cursor ? { cursor: search.cursor } : {}),
  } as Parameters<typeof listTasks>[0]);
};

export const loadList = ({ queryClient }: LoaderContext, search: TasksSearch) => prefetch(queryClient, tasksOf(search));
export const loadOne = ({ queryClient }: LoaderContext, task: string) =>
  prefetch(queryClient, readTask(task), listTaskSteps(task), listTaskEvents(task));
