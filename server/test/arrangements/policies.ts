import type { Arrangements } from "./arranged.ts";

// Policies, their simulation, and violations.

export const arrange: Arrangements = {};
export const seenFromEverywhere: Readonly<Record<string, string>> = {};
