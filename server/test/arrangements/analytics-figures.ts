import { type Arrangements, nothing } from "./arranged.ts";

export const arrange: Arrangements = {
  "analytics.readOverview": nothing,
  "analytics.readUsage": nothing,
  "analytics.readCosts": nothing,
  "analytics.readAgentFigures": async () => ({ params: { agent: "sales" } }),
  "analytics.readTaskFunnel": nothing,
  "analytics.readValue": nothing,
  "analytics.readToolUse": nothing,
  "analytics.readModelUse": nothing,
  "analytics.readChargeback": nothing,
};
export const seenFromEverywhere: Readonly<Record<string, string>> = {
  "analytics.readAgentFigures": "agents belong to the organization; the figures are of the environment of the key",
};
