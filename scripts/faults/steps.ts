import type { Fault } from "./fault.ts";

const slice = "server/src/features/workflows";
const approvals = [`${slice}/steps/approvals.test.ts`];
const standing = [`${slice}/steps/standing.test.ts`];
const tools = [`${slice}/steps/tools.test.ts`];

/** Faults in what steps of workflows may do, and in what people approved of them. */
export const stepFaults: readonly Fault[] = [
  {
    name: "covered-step-with-other-arguments",
    file: `${slice}/steps/earlier-approval.ts`,
    find: "if (other !== null) return",
    replace: "if (other === '') return",
    tests: approvals,
  },
  {
    name: "cover-that-is-outgrown-counts",
    file: `${slice}/steps/earlier-approval.ts`,
    find: "stale === null && (await approvalMeets(ctx, approval, demand))",
    replace: "stale === null",
    tests: approvals,
  },
  {
    name: "cover-counts-for-every-attempt",
    file: `${slice}/steps/earlier-approval.ts`,
    find: "if (await wasUsed(ctx, step, task.approval_id))",
    replace: "if (!task.approval_id)",
    tests: approvals,
  },
  {
    name: "approval-forgets-what-it-covers",
    file: `${slice}/steps/calls.ts`,
    find: "return [...later, ...calls.flatMap((one) => toolProposal(ctx, one))];",
    replace: "return later.slice(0, 0);",
    tests: approvals,
  },
  {
    name: "step-of-whoever-was-removed",
    file: `${slice}/steps/operations/start-step.ts`,
    find: "{ actor, stopped } = await resolveActor(",
    replace: "{ actor = stored as never, stopped } = await resolveActor(",
    tests: standing,
  },
  {
    name: "kill-switch-of-a-workflow-holds-nothing",
    file: "server/src/pipeline/compliance.ts",
    find: "if (workflow) subject.workflow = workflow.name;",
    replace: "",
    tests: standing,
  },
  {
    name: "tool-step-asks-twice",
    file: "server/src/features/tasks/runs/call-approval.ts",
    find: `if (call.tool.effect !== "read" && !isWholeTask(call)) return false;`,
    replace: `if (call.tool.effect !== "read") return false;`,
    tests: tools,
  },
];
