import type { Fault } from "./fault.ts";

// Figures that accuse or wake somebody: drift, signs of fatigue, what is unusual, and alerts.

const slice = "server/src/features/analytics";
const alerts = [`${slice}/alert-model.test.ts`];

export const qualityFaults: readonly Fault[] = [
  {
    name: "alert-fires-at-once",
    file: `${slice}/alert-model.ts`,
    find: "now - beyondSince >= forMs",
    replace: "now >= beyondSince",
    tests: alerts,
  },
  {
    name: "alert-clears-without-data",
    file: `${slice}/alert-model.ts`,
    find: 'streak(reading === "within", before.withinSince)',
    replace: 'streak(reading === "within" || reading === "no_data", before.withinSince)',
    tests: alerts,
  },
  {
    name: "alert-sees-across-gaps",
    file: `${slice}/alert-model.ts`,
    find: "now - before.lookedAt <= longestGap",
    replace: "now >= before.lookedAt",
    tests: alerts,
  },
  {
    name: "drift-level-spent-twice",
    file: `${slice}/drift-model.ts`,
    find: "pValue(distribution, numbers, border.by, estimated) / share",
    replace: "pValue(distribution, numbers, border.by, estimated) / 2 / share",
    tests: [`${slice}/drift-model.test.ts`],
  },
  {
    name: "signs-without-holm",
    file: `${slice}/fatigue-model.ts`,
    find: "p: adjusted[at] as number",
    replace: "p: one.sign.p_value",
    tests: [`${slice}/fatigue-model.test.ts`],
  },
  {
    name: "alert-of-foreign-agents",
    file: `${slice}/operations/create-alert.ts`,
    find: "body.filters?.agent ?? principal.agents",
    replace: "principal.agents",
    tests: [`${slice}/operations/create-alert.test.ts`],
    only: "watches only what its key may see",
  },
];
