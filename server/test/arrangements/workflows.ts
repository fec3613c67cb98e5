import type { Arrangements } from "./arranged.ts";
import * as checks from "./workflows-checks.ts";
import * as definitions from "./workflows-definitions.ts";
import * as runs from "./workflows-runs.ts";
import * as triggers from "./workflows-triggers.ts";

export const arrange: Arrangements = {
  ...definitions.arrange,
  ...checks.arrange,
  ...runs.arrange,
  ...triggers.arrange,
};

export const seenFromEverywhere: Readonly<Record<string, string>> = {
  ...definitions.seenFromEverywhere,
  ...checks.seenFromEverywhere,
  ...runs.seenFromEverywhere,
  ...triggers.seenFromEverywhere,
};
