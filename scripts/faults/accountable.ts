import type { Fault } from "./fault.ts";

// Who is accountable for tasks and the calls of their runs: docs/decisions/0064.

const tests = ["server/test/accountable/tasks.test.ts"];

export const accountableFaults: readonly Fault[] = [
  {
    name: "accountable-note-forgotten",
    file: "server/src/features/approvals/decisions/decide.ts",
    find: 'await addDeciders(ctx, task, decidersIn(ctx, seat, "note"',
    replace: 'void (ctx, task, decidersIn(ctx, seat, "note"',
    tests,
  },
  {
    name: "accountable-editor-forgotten",
    file: "server/src/features/approvals/decisions/rounds.ts",
    find: "deciders.length === 0 ? Promise.resolve(task)",
    replace: "deciders.length >= 0 ? Promise.resolve(task)",
    tests,
  },
  {
    name: "accountable-answer-forgotten",
    file: "server/src/features/tasks/tasks/question.ts",
    find: 'unite(storedDeciders(deciders), decidersOf(ctx, "answered", null))',
    replace: "storedDeciders(deciders)",
    tests,
  },
  {
    name: "accountable-task-starts-without-owner",
    file: "server/src/features/tasks/runs/operations/start-task.ts",
    find: "if (stopped !== null) return blockStopped(",
    replace: 'if (stopped === "") return blockStopped(',
    tests,
  },
  {
    name: "accountable-replaced-key-stops",
    file: "server/src/features/admin/accountability/actors.ts",
    find: "line.find(({ dead }) => !dead)",
    replace: "line.find(({ dead }, at) => !dead && at === 0)",
    tests,
  },
  {
    name: "accountable-column-unlisted",
    file: "scripts/checks/accountable.ts",
    find: "naming.test(name) && listed[table]?.[name] === undefined",
    replace: "naming.test(name) && listed[table] === undefined",
    tests: ["scripts/checks/accountable.test.ts"],
  },
  {
    name: "accountable-rule-change-unnoted",
    file: "server/src/features/governance/policies/operations/create-policy.ts",
    find: "await noteRuleChange(",
    replace: "void (",
    tests: ["server/test/rule-changes.test.ts"],
  },
  {
    name: "accountable-rule-changes-of-other-agents-shown",
    file: "server/src/features/admin/settings/rule-changes.ts",
    find: "$if(agents !== null,",
    replace: "$if(agents?.length === 0,",
    tests: ["server/src/features/approvals/inbox/accountability.test.ts"],
  },
  {
    name: "accountable-advice-that-frees-nobody",
    file: "server/src/features/approvals/inbox/accountability.ts",
    find: "one.id !== id || remedyOf(one) !== null",
    replace: 'one.id !== id || remedyOf(one) !== null || one.how === "issuer"',
    tests: ["server/src/features/approvals/inbox/accountability.test.ts"],
  },
  {
    name: "accountable-take-over-forgets-setters",
    file: "server/src/features/admin/accountability/kinds.ts",
    find: "await give(ctx, row, withDeciders(actor, earlier));",
    replace: "void (earlier, withDeciders);\n      await give(ctx, row, actor);",
    tests: ["server/test/accountable/talk.test.ts"],
  },
  {
    name: "accountable-reason-reaches-run",
    file: "server/src/features/workflows/runs/outcome-store.ts",
    find: "(status && unsaid[status]) ?? failure.detail",
    replace: "(status && void unsaid[status]) ?? failure.detail",
    tests: ["server/test/accountable/runs.test.ts"],
  },
  {
    name: "accountable-namer-forgotten",
    file: "server/src/features/admin/accountability/actors.ts",
    find: 'if ("named" in credential) return presentNaming(ctx, credential, permission, agents);',
    replace: 'if ("named" in credential) return void presentNaming, { credential };',
    tests: ["server/test/accountable/schedules.test.ts"],
  },
];
