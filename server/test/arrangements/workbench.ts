import type { Arrangements } from "./arranged.ts";

// What people do with approvals besides voting.

export const arrange: Arrangements = {};
export const seenFromEverywhere: Readonly<Record<string, string>> = {};
