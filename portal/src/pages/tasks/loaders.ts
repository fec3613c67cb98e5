import { prefetch } from "../../api/queries.ts";
import { listTasks, readTask } from "../../api/tasks.ts";
import { textOf } from "../../lib/search.ts";
import type { LoaderContext } from "../context.ts";

export const listSearch = (search: Record<string, unknown>): { status?: string; agent?: string; cursor?: string } => ({
  status: textOf(search, "status"),
  agent: textOf(search, "agent"),
  cursor: textOf(search, "cursor"),
});
export const oneSearch = (search: Record<string, unknown>): { tab?: string } => ({ tab: textOf(search, "tab") });

export const loadList = ({ queryClient }: LoaderContext, _filter: ReturnType<typeof listSearch>) =>
  prefetch(queryClient, listTasks({ limit: 25 }));
export const loadOne = ({ queryClient }: LoaderContext, task: string) => prefetch(queryClient, readTask(task));
