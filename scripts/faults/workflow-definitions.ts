import type { Fault } from "./fault.ts";

// Workflows: drafts, versions and releases.

const folder = "server/src/features/workflows";
const test = (resource: string, operation: string): readonly string[] => [
  `${folder}/${resource}/operations/${operation}.test.ts`,
];

export const workflowDefinitionFaults: readonly Fault[] = [
  {
    name: "workflow-published-with-errors",
    file: `${folder}/versions/operations/publish-workflow.ts`,
    find: "    refuseErrors(name, findings);",
    replace: "",
    tests: test("versions", "publish-workflow"),
  },
  {
    name: "workflow-gate-of-called-workflows-unasked",
    file: `${folder}/versions/operations/publish-workflow.ts`,
    find: "...called.map((one) => one.agents)].flat())];\n  return",
    replace: "[]].flat())];\n  return",
    tests: test("versions", "publish-workflow"),
  },
  {
    name: "workflow-pins-ignored",
    file: `${folder}/versions/operations/publish-workflow.ts`,
    find: " && digestOf(newest.pinned) === digestOf(pinned)",
    replace: "",
    tests: test("versions", "publish-workflow"),
  },
  {
    name: "workflow-draft-overwritten",
    file: `${folder}/definitions/store.ts`,
    find: '    .where("name", "=", draft.definition.workflow)\n    .where("revision", "=", revision)',
    replace: '    .where("name", "=", draft.definition.workflow)',
    tests: test("definitions", "replace-draft"),
  },
  {
    name: "workflow-rollback-forgets-rollbacks",
    file: `${folder}/versions/rules.ts`,
    find: 'if (kind === "rollback" && stack.includes(version))',
    replace: "if (stack.length > 1000)",
    tests: test("versions", "rollback"),
  },
  {
    name: "workflow-archived-while-live-elsewhere",
    file: `${folder}/definitions/operations/archive-workflow.ts`,
    find: "live_elsewhere.length === 0",
    replace: "live_elsewhere.length >= 0",
    tests: test("definitions", "archive-workflow"),
  },
  {
    name: "workflows-of-other-agents-listed",
    file: `${folder}/definitions/store.ts`,
    find: "h.agents_here <@ ",
    replace: "h.agents_here && ",
    tests: test("definitions", "list-workflows"),
  },
  {
    name: "workflow-of-the-service-changed",
    file: `${folder}/definitions/store.ts`,
    find: "return row?.hidden ? undefined : row;",
    replace: "return row;",
    tests: [`${folder}/definitions/hidden-workflow.test.ts`],
  },
];
