import type { GetQuery } from "./client.ts";
import { read } from "./queries.ts";

export const listPolicies = (filter: GetQuery<"/v1/governance/policies">) => read("/v1/governance/policies", { query: filter });
export const listStops = (filter: GetQuery<"/v1/governance/kill-switch">) => read("/v1/governance/kill-switch", { query: filter });
export const listViolations = (filter: GetQuery<"/v1/governance/violations">) => read("/v1/governance/violations", { query: filter });
export const readPolicy = (policy: string) => read("/v1/governance/policies/{policy}", { path: { policy } });
