import * as figures from "./analytics-figures.ts";
import * as quality from "./analytics-quality.ts";
import * as reports from "./analytics-reports.ts";
import * as rollups from "./analytics-rollups.ts";
import type { Arrangements } from "./arranged.ts";

export const arrange: Arrangements = {
  ...figures.arrange,
  ...quality.arrange,
  ...reports.arrange,
  ...rollups.arrange,
};
export const seenFromEverywhere: Readonly<Record<string, string>> = figures.seenFromEverywhere;
