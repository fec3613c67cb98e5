import type { Fault } from "./fault.ts";

// Figures that accuse or wake somebody: drift, signs of fatigue, what is unusual, and alerts.

const slice = "server/src/features/analytics";
const alerts = [`${slice}/alerts/states.test.ts`];

export const qualityFaults: readonly Fault[] = [
  {
    name: "alert-fires-at-once",
    file: `${slice}/alerts/states.ts`,
    find: "now - beyondSince >= forMs",
    replace: "now >= beyondSince",
    tests: alerts,
  },
  {
    name: "alert-clears-without-data",
    file: `${slice}/alerts/states.ts`,
    find: 'streak(reading === "within", before.withinSince)',
    replace: 'streak(reading === "within" || reading === "no_data", before.withinSince)',
    tests: alerts,
  },
  {
    name: "alert-sees-across-gaps",
    file: `${slice}/alerts/states.ts`,
    find: "now - before.lookedAt <= longestGap",
    replace: "now >= before.lookedAt",
    tests: alerts,
  },
  {
    name: "drift-level-spent-twice",
    file: `${slice}/quality/drift-rules.ts`,
    find: "pValue(distribution, numbers, border.by, estimated) / share",
    replace: "pValue(distribution, numbers, border.by, estimated) / 2 / share",
    tests: [`${slice}/quality/drift-rules.test.ts`],
  },
  {
    name: "signs-without-holm",
    file: `${slice}/quality/fatigue-rules.ts`,
    find: "p: adjusted[at] as number",
    replace: "p: one.sign.p_value",
    tests: [`${slice}/quality/fatigue-rules.test.ts`],
  },
  {
    name: "alert-of-foreign-agents",
    file: `${slice}/alerts/operations/create-alert.ts`,
    find: "body.filters?.agent ?? principal.agents",
    replace: "principal.agents",
    tests: [`${slice}/alerts/operations/create-alert.test.ts`],
    only: "watches only what its key may see",
  },
];
