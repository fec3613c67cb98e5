import type { Fault } from "./fault.ts";

// Figures that people plan and pay by: forecasts, bills, and the tasks that a figure leads to.

const slice = "server/src/features/analytics";

export const figureFaults: readonly Fault[] = [
  {
    name: "forecast-knows-its-parameters",
    file: `${slice}/figures/forecast.ts`,
    find: "noise * (own + dot(sum, solve(lower, sum)))",
    replace: "noise * own",
    tests: [`${slice}/figures/forecast.test.ts`],
  },
  {
    name: "bill-does-not-sum",
    file: `${slice}/figures/operations/read-chargeback.ts`,
    find: "byLoss.slice(0, left)",
    replace: "byLoss.slice(0, 0)",
    tests: [`${slice}/figures/chargeback.test.ts`],
  },
  {
    name: "figure-leads-to-unjudged-tasks",
    file: `${slice}/figures/link.ts`,
    find: "link !== null && ofJudged.has(name)",
    replace: "link !== null && false",
    tests: [`${slice}/figures/figures.test.ts`],
  },
];
