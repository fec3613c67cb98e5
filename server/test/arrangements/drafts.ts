import type { Arrangements } from "./arranged.ts";

// Drafts and versions of agents.

export const arrange: Arrangements = {};
export const seenFromEverywhere: Readonly<Record<string, string>> = {};
