import { listAgents, listDeployments, listVersions, readAgent, readGate, readTrust } from "../../api/agents.ts";
import { prefetch } from "../../api/queries.ts";
import { textOf, wordOf } from "../../lib/search.ts";
import type { LoaderContext } from "../context.ts";

const statuses = ["deployed", "draft", "archived"] as const;

export interface AgentsSearch {
  readonly status?: (typeof statuses)[number];
  readonly cursor?: string;
}
export interface AgentSearch {
  readonly tab?: string;
}

export const listSearch = (search: Record<string, unknown>): AgentsSearch => ({
  status: wordOf(search, "status", statuses),
  cursor: textOf(search, "cursor"),
});
export const oneSearch = (search: Record<string, unknown>): AgentSearch => ({ tab: textOf(search, "tab") });

/** What the list shows for an address. */
export const agentsOf = ({ status, cursor }: AgentsSearch) =>
  listAgents({ limit: 25, ...(status ? { status: [status] } : {}), ...(cursor ? { cursor } : {}) });

export const loadList = ({ queryClient }: LoaderContext, search: AgentsSearch) => prefetch(queryClient, agentsOf(search));
export const loadOne = ({ queryClient }: LoaderContext, agent: string) =>
  prefetch(queryClient, readAgent(agent), listVersions(agent), listDeployments(agent), readGate(agent), readTrust(agent));
