import type { Fault } from "./fault.ts";

// What a workflow's run does next, and what is said of its file.

const random = ["packages/workflow/src/random-runs.test.ts"];
const advance = "packages/workflow/src/advance.ts";

export const workflowCoreFaults: readonly Fault[] = [
  {
    name: "workflow-earlier-attempt-counts",
    file: advance,
    find: "isOver(before) || before.attempt !== outcome.attempt ||",
    replace: "isOver(before) ||",
    tests: random,
  },
  {
    name: "workflow-started-while-paused",
    file: advance,
    find: 'if (!this.#ending && this.#asked !== "pause") {',
    replace: "if (!this.#ending) {",
    tests: random,
  },
  {
    name: "workflow-need-not-waited-for",
    file: advance,
    find: "if (!planned.needs.every((need) => isMet(this.#at(need)))) return;",
    replace: "if (!planned.needs.some((need) => isMet(this.#at(need))) && planned.needs.length > 0) return;",
    tests: random,
  },
  {
    name: "workflow-taken-back-twice",
    file: advance,
    find: "if (runs && !state.timedOut)",
    replace: "if (runs)",
    tests: random,
  },
  {
    name: "workflow-undone-in-order-of-completion",
    file: "packages/workflow/src/undo.ts",
    find: "(b.state.completedAs as number) - (a.state.completedAs as number)",
    replace: "(a.state.completedAs as number) - (b.state.completedAs as number)",
    tests: random,
  },
  {
    name: "workflow-failed-branch-undoes-nothing",
    file: "packages/workflow/src/undo.ts",
    find: 'return broken.some((inner) => at(inner).status !== "cancelled" && undoesRun(plan, at, inner));',
    replace: "return broken.length < 0;",
    tests: random,
  },
  {
    name: "workflow-wakes-for-a-retry-while-paused",
    file: "packages/workflow/src/outlook.ts",
    find: '!ending && asked !== "pause" &&',
    replace: "!ending &&",
    tests: random,
  },
  {
    name: "workflow-lost-cancel-forgotten",
    file: "packages/workflow/src/outlook.ts",
    find: "return timedOut === true || ending !== undefined ||",
    replace: "return ending !== undefined ||",
    tests: random,
  },
  {
    name: "workflow-needed-steps-unknown-behind-branches",
    file: "packages/workflow/src/check-steps.ts",
    find: "for (const one of [need, ...(inside.get(need) ?? [])]) {",
    replace: "for (const one of [need]) {",
    tests: ["packages/workflow/src/check.test.ts"],
  },
  {
    name: "workflow-whole-number-not-explained",
    file: "packages/workflow/src/check-expressions.ts",
    find: " Its schema allows a fraction: declare it type: integer, or write int(…) around it.",
    replace: "",
    tests: ["packages/workflow/src/check.test.ts"],
  },
];
