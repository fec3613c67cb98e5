import type { GetQuery } from "./client.ts";
import { read } from "./queries.ts";

export const listAgents = (filter: GetQuery<"/v1/agents">) => read("/v1/agents", { query: filter });
export const readAgent = (agent: string) => read("/v1/agents/{agent}", { path: { agent } });
/** Why the score of a version is what it is. */
export const readTrust = (agent: string, version?: number) =>
  read("/v1/agents/{agent}/trust", { path: { agent }, query: version === undefined ? {} : { version } });
