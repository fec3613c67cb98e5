import type { Fault } from "./fault.ts";

// Missions: their budget, their autonomy, and what is computed of them.

const life = ["server/src/features/missions/missions/missions.test.ts"];

export const missionFaults: readonly Fault[] = [
  {
    name: "mission-over-budget",
    file: "server/src/features/missions/work/reserve.ts",
    find: "left + least < most) {",
    replace: "left + 1000 < most) {",
    tests: life,
    only: "stops before it could cost more",
  },
  {
    name: "mission-autonomy-ignored",
    file: "server/src/features/missions/plans/rules.ts",
    find: 'autonomy === "propose" ||',
    replace: 'autonomy === "propose" && false ||',
    tests: life,
    only: "is held as a whole",
  },
  {
    name: "mission-pause-ignored",
    file: "server/src/features/missions/work/reserve.ts",
    find: 'if (mission.status !== "running") throw',
    replace: 'if (mission.status === "draft") throw',
    tests: life,
    only: "is held as a whole",
  },
  {
    name: "mission-foreign-agent",
    file: "server/src/features/missions/plans/rules.ts",
    find: "mission.agents.includes(agent)\n",
    replace: "mission.agents.length > 0 || mission.agents.includes(agent)\n",
    tests: ["server/src/features/missions/plans/operations/plan-mission.test.ts"],
    only: "finds what keeps a plan",
  },
  {
    name: "mission-measure-counts-unjudged",
    file: "server/src/features/missions/progress/measure.ts",
    find: 'if (typeof counts !== "boolean") return undefined;',
    replace: 'if (typeof counts !== "boolean" || !counts) return { counts: true, value: 1 };',
    tests: ["server/src/features/missions/progress/measure.test.ts"],
  },
];
