import type { Arrangements } from "./arranged.ts";

// Exports of the audit log.

export const arrange: Arrangements = {};
export const seenFromEverywhere: Readonly<Record<string, string>> = {};
