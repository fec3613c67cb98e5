import type { Fault } from "./fault.ts";

// Runs of workflows: starting them, doing them again, places of concurrency.

const control = "packages/workflow/src/control.ts";
const controlTest = ["packages/workflow/src/control.test.ts"];
const slice = "server/src/features/workflows";

export const workflowRunFaults: readonly Fault[] = [
  {
    name: "workflow-run-attempts-counted-anew",
    file: control,
    find: '{ status: "pending", attempt, ...(attempt > 0 && { before: attempt }) }',
    replace: '{ status: "pending", attempt: 0 }',
    tests: controlTest,
  },
  {
    name: "workflow-run-again-without-what-follows",
    file: control,
    find: 'for (const next of neededBy) visit(next, "whole");',
    replace: "",
    tests: controlTest,
  },
  {
    name: "workflow-run-migrated-under-way",
    file: control,
    find: "else if (!isSame && !isOver(state))",
    replace: "else if (!isSame && isOver(state) && !isOver(state))",
    tests: controlTest,
  },
  {
    name: "workflow-run-writes-again",
    file: "server/src/features/workflows/runs/control.ts",
    find: "wrote.has(step) && !acknowledge.includes(step)",
    replace: "wrote.has(step) && acknowledge.includes(step)",
    tests: [`${slice}/runs/operations/control-run.test.ts`],
    only: "refuses steps that have written",
  },
  {
    name: "workflow-run-beyond-concurrency",
    file: "server/src/features/workflows/runs/concurrency.ts",
    find: "< concurrency.limit",
    replace: "<= concurrency.limit",
    tests: ["server/src/features/workflows/runs/concurrency.test.ts"],
  },
  {
    name: "workflow-run-place-not-given-on",
    file: "server/src/features/workflows/runs/concurrency.ts",
    find: "if (next) ctx.enqueue(wakeRun(ctx.scope, next.id));",
    replace: "",
    tests: ["server/src/features/workflows/runs/concurrency.test.ts"],
  },
  {
    name: "workflow-run-loop-repeats-nothing",
    file: "server/src/features/workflows/runs/control-store.ts",
    find: "if (loops.length === 0) return;",
    replace: "if (loops.length >= 0) return;",
    tests: [`${slice}/runs/operations/control-run.test.ts`],
    only: "repeats all of its items",
  },
  {
    name: "workflow-run-events-out-of-order",
    file: "server/src/features/workflows/runs/event-store.ts",
    find: "const sequenceOfRun = (revision: number): number => revision * revisionSpan - 1;",
    replace: "const sequenceOfRun = (revision: number): number => revision;",
    tests: [`${slice}/runs/operations/list-run-events.test.ts`],
  },
];
