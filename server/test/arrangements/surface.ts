import type { Arrangements } from "./arranged.ts";

// Tasks beyond dispatch: batches, changes, events, steps, results.

export const arrange: Arrangements = {};
export const seenFromEverywhere: Readonly<Record<string, string>> = {};
