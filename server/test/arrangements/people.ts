import type { Arrangements } from "./arranged.ts";

// Members and settings.

export const arrange: Arrangements = {};
export const seenFromEverywhere: Readonly<Record<string, string>> = {};
