import type { Arrangements } from "./arranged.ts";

// Budgets.

export const arrange: Arrangements = {};
export const seenFromEverywhere: Readonly<Record<string, string>> = {};
