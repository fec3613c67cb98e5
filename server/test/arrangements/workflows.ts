import type { Arrangements } from "./arranged.ts";
import * as checks from "./workflows-checks.ts";
import * as definitions from "./workflows-definitions.ts";

export const arrange: Arrangements = { ...definitions.arrange, ...checks.arrange };

export const seenFromEverywhere: Readonly<Record<string, string>> = {
  ...definitions.seenFromEverywhere,
  ...checks.seenFromEverywhere,
};
