import type { Fault } from "./fault.ts";

// Workflows: schedules, events, inbound hooks and signals.

const slice = "server/src/features/workflows";
const schedules = [`${slice}/triggers/schedules.test.ts`];
const events = [`${slice}/triggers/events.test.ts`];
const hooks = [`${slice}/hooks/operations/receive-hook.test.ts`];
const matching = [`${slice}/triggers/matching.test.ts`];

export const triggerFaults: readonly Fault[] = [
  {
    name: "trigger-account-not-looked-at",
    file: `${slice}/triggers/operations/fire-trigger.ts`,
    find: "{ actor, stopped } = await resolveActor(",
    replace: "{ actor = storedActor(trigger.actor) as never, stopped } = await resolveActor(",
    tests: schedules,
  },
  {
    name: "trigger-account-above-caller",
    file: "server/src/features/admin/accountability/actors.ts",
    find: "(own === null || !roleIncludes(own, role))",
    replace: "own === null",
    tests: [`${slice}/triggers/operations/add-trigger.test.ts`],
  },
  {
    name: "trigger-overlap-ignored",
    file: `${slice}/triggers/operations/fire-trigger.ts`,
    find: `definition.overlap !== "allow" &&`,
    replace: `definition.overlap === "allow" &&`,
    tests: schedules,
  },
  {
    name: "trigger-fires-while-paused",
    file: `${slice}/triggers/operations/plan-schedules.ts`,
    find: "if (!(await isActive(ctx, workflow))) return 0;",
    replace: "",
    tests: schedules,
  },
  {
    name: "trigger-hears-its-own-runs",
    file: `${slice}/triggers/matching.ts`,
    find: "|| event.source === workflow",
    replace: "",
    tests: events,
  },
  {
    name: "trigger-hears-what-is-withheld",
    file: `${slice}/triggers/operations/match-events.ts`,
    find: "|| !reads(trigger, event)",
    replace: "",
    tests: events,
  },
  {
    name: "wait-takes-an-event-again",
    file: `${slice}/runs/wait-store.ts`,
    find: "coalesce(workflow_waits.matched, workflow_waits.looked)",
    replace: "workflow_waits.looked * 0",
    tests: events,
  },
  {
    name: "wait-misses-earlier-events",
    file: `${slice}/triggers/operations/match-events.ts`,
    find: "await catchUp(ctx, head, published, judgements);",
    replace: "await catchUp(ctx, 0, published, judgements);",
    tests: events,
  },
  {
    name: "wait-hears-signals-of-others",
    file: `${slice}/triggers/matching.ts`,
    find: "|| (event.run !== null && event.run !== run)",
    replace: "",
    tests: matching,
  },
  {
    name: "hook-forges-the-catalogue",
    file: `${slice}/triggers/matching.ts`,
    find: `typeof type === "string" && !isCatalogueType(type)`,
    replace: `typeof type === "string"`,
    tests: matching,
  },
  {
    name: "hook-signature-not-over-the-body",
    file: `${slice}/hooks/proof.ts`,
    find: ".update(body).digest()",
    replace: ".update(body.subarray(0, 1)).digest()",
    tests: hooks,
  },
  {
    name: "hook-timestamp-ignored",
    file: `${slice}/hooks/proof.ts`,
    find: "const tolerance = 300_000;",
    replace: "const tolerance = 300_000_000;",
    tests: hooks,
  },
  {
    name: "hook-call-counts-twice",
    file: `${slice}/hooks/operations/receive-hook.ts`,
    find: "if (first === null) ctx.emit",
    replace: "ctx.emit",
    tests: hooks,
  },
];
