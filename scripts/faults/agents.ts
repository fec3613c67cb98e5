import type { Fault } from "./fault.ts";

// Schedules of agents, and trying their tools.

const schedules = "server/src/features/schedules";
const firing = `${schedules}/operations/fire-schedule.ts`;
const fired = [`${schedules}/schedules.test.ts`];
const tools = "server/src/features/tools";
const tried = [`${tools}/operations/test-tool.test.ts`];

export const agentFaults: readonly Fault[] = [
  {
    name: "schedule-fires-again",
    file: firing,
    find: "const none = { due_at: null, try_at: null, last_error",
    replace: "const none = { last_error",
    tests: fired,
  },
  {
    name: "schedule-acts-without-role",
    file: firing,
    find: "{ actor, stopped } = await resolveActor(",
    replace: "{ actor = storedActor(schedule.actor) as never, stopped } = await resolveActor(",
    tests: fired,
  },
  {
    name: "schedule-spends-beyond-month",
    file: `${schedules}/budget.ts`,
    find: "if (left < least) {",
    replace: "if (left < -1e9) {",
    tests: fired,
  },
  {
    name: "schedule-overlaps",
    file: `${schedules}/rules.ts`,
    find: 'if (isOpen && overlap === "skip")',
    replace: 'if (isOpen && overlap === "queue")',
    tests: fired,
  },
  {
    name: "schedule-beyond-scopes",
    file: `${schedules}/rules.ts`,
    find: 'principal.scopes !== null && !principal.scopes.includes("tasks:write")',
    replace: 'principal.scopes !== null && !principal.scopes.includes("agents:write")',
    tests: [`${schedules}/operations/change-schedule.test.ts`],
  },
  {
    name: "tried-tool-writes",
    file: "server/src/runtime/tool-port.ts",
    find: 'if (!send || tool.effect !== "read")',
    replace: 'if (!send && tool.effect !== "write")',
    tests: tried,
  },
  {
    name: "tried-tool-shows-secret",
    file: "server/src/runtime/tool-port.ts",
    find: "Object.keys(added?.headers ?? {}).map((name) => [",
    replace: "Object.keys(added?.headers ?? {}).map((name) => added !== null ? [name, added.headers[name]] : [",
    tests: tried,
  },
  {
    name: "tried-draft-called-strictly",
    file: `${tools}/operations/test-tool.ts`,
    find: "if (!live && decidesStrictly(ctx))",
    replace: "if (live && decidesStrictly(ctx))",
    tests: tried,
  },
];
