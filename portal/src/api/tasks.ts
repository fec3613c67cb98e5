import type { GetQuery } from "./client.ts";
import { read } from "./queries.ts";

export type TaskFilter = GetQuery<"/v1/tasks">;

export const listTasks = (filter: TaskFilter) => read("/v1/tasks", { query: filter });
export const readTask = (task: string) => read("/v1/tasks/{task}", { path: { task } });
export const listTaskSteps = (task: string, cursor?: string) =>
  read("/v1/tasks/{task}/steps", { path: { task }, query: { limit: 100, ...(cursor ? { cursor } : {}) } });
