import {
  listAgents,
  listDeployments,
  listVersions,
  readAgent,
  readGate,
  readTrust,
  readVersion,
} from "../../api/agents.ts";
import { prefetch } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { textOf, wordOf } from "../../lib/search.ts";
import type { LoaderContext } from "../context.ts";

const statuses = ["deployed", "draft", "archived"] as const;

export interface AgentsSearch {
  readonly status?: (typeof statuses)[number];
  readonly owner?: string;
  readonly cursor?: string;
}
export interface AgentSearch {
  readonly tab?: string;
  /** The conversation that goes on in the tab of the chat. */
  readonly conversation?: string;
}

export const listSearch = (search: Record<string, unknown>): AgentsSearch => ({
  status: wordOf(search, "status", statuses),
  owner: textOf(search, "owner"),
  cursor: textOf(search, "cursor"),
});
export const oneSearch = (search: Record<string, unknown>): AgentSearch => ({
  tab: textOf(search, "tab"),
  conversation: textOf(search, "conversation"),
});

/** What the list shows for an address. */
export const agentsOf = ({ status, owner, cursor }: AgentsSearch) =>
  listAgents({
    limit: 25,
    ...(status ? { status: [status] } : {}),
    ...(owner ? { owner } : {}),
    ...(cursor ? { cursor } : {}),
  });

export const loadList = ({ queryClient }: LoaderContext, search: AgentsSearch) =>
  prefetch(queryClient, agentsOf(search));
export const loadOne = ({ queryClient }: LoaderContext, agent: string) =>
  Promise.all([
    loadAtWork({ queryClient }, agent),
    prefetch(queryClient, listDeployments(agent), readGate(agent)),
    loadTrust({ queryClient }, agent),
  ]);

/** The agent, then the version of it that works here. */
async function loadAtWork({ queryClient }: LoaderContext, agent: string): Promise<void> {
  await prefetch(queryClient, readAgent(agent));
  const { deployment } = queryClient.getQueryData<Schema<"Agent">>(readAgent(agent).queryKey) ?? {};
  if (deployment) await prefetch(queryClient, readVersion(agent, deployment.version));
}

/** The versions, then the trust in the one that works here or the newest; without a version there is none. */
async function loadTrust({ queryClient }: LoaderContext, agent: string): Promise<void> {
  await prefetch(queryClient, listVersions(agent));
  const versions = queryClient.getQueryData<{ data: readonly unknown[] }>(listVersions(agent).queryKey);
  if (versions && versions.data.length > 0) await prefetch(queryClient, readTrust(agent));
}
