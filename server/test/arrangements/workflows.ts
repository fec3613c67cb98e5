import type { Arrangements } from "./arranged.ts";
import * as checks from "./workflows-checks.ts";
import * as definitions from "./workflows-definitions.ts";
import * as runs from "./workflows-runs.ts";
import * as triggers from "./workflows-triggers.ts";

const parts = [definitions, checks, runs, triggers];

export const arrange: Arrangements = Object.assign({}, ...parts.map((part) => part.arrange));

export const seenFromEverywhere: Readonly<Record<string, string>> = Object.assign(
  {},
  ...parts.map((part) => ("seenFromEverywhere" in part ? part.seenFromEverywhere : {})),
);
