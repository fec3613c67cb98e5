import type { GetQuery } from "./client.ts";
import { read } from "./queries.ts";

export const listAgents = (filter: GetQuery<"/v1/agents">) => read("/v1/agents", { query: filter });
export const readAgent = (agent: string) => read("/v1/agents/{agent}", { path: { agent } });
