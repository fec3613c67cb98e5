import { listPolicies, readPolicy } from "../../api/governance.ts";
import { prefetch } from "../../api/queries.ts";
import { textOf } from "../../lib/search.ts";
import type { LoaderContext } from "../context.ts";

export const listSearch = (search: Record<string, unknown>): { cursor?: string } => ({ cursor: textOf(search, "cursor") });
export const oneSearch = (search: Record<string, unknown>): { tab?: string } => ({ tab: textOf(search, "tab") });

export const loadList = ({ queryClient }: LoaderContext, _filter: ReturnType<typeof listSearch>) =>
  prefetch(queryClient, listPolicies({ limit: 25 }));
export const loadOne = ({ queryClient }: LoaderContext, policy: string) => prefetch(queryClient, readPolicy(policy));
