import type { Arrangements } from "./arranged.ts";

// Deployments of agents and their pauses.

export const arrange: Arrangements = {};
export const seenFromEverywhere: Readonly<Record<string, string>> = {};
