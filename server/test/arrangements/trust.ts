import type { Arrangements } from "./arranged.ts";

// The trust that agents earn.

export const arrange: Arrangements = {
  "agents.readTrust": async () => ({ params: { agent: "sales" } }),
};
export const seenFromEverywhere: Readonly<Record<string, string>> = {
  "agents.readTrust": "agents belong to the organization",
};
