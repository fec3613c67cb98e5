import { listKeys } from "../../api/admin.ts";
import { prefetch } from "../../api/queries.ts";
import { textOf } from "../../lib/search.ts";
import type { LoaderContext } from "../context.ts";

export const listSearch = (search: Record<string, unknown>): { cursor?: string } => ({ cursor: textOf(search, "cursor") });

export const loadList = ({ queryClient }: LoaderContext, _filter: ReturnType<typeof listSearch>) =>
  prefetch(queryClient, listKeys({ limit: 25 }));
