import type { Arrangements } from "./arranged.ts";

export const arrange: Arrangements = {};
