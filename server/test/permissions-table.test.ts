import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { insideOperations, publishedOperations } from "../../scripts/checks/registry.ts";
import { describe as describeOperation } from "../src/kernel/operation-seal.ts";
import { roles } from "../src/kernel/principal.ts";
import { rolePermissions } from "../src/kernel/role-permissions.ts";
import { compileRoles } from "../src/pipeline/permissions.ts";

// docs/reference/roles.md is written by hand: who changes what a role may do changes it there, for reviewers to see.

const page = "docs/reference/roles.md";
const lines = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8").split("\n");
/** The rows of the page whose first cell looks like this. */
const rowsOf = (first: RegExp): string[] => lines.filter((line) => first.test(line));
const tableRow = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

describe("the permissions", () => {
  const operations = publishedOperations();
  const compiled = compileRoles(operations);
  const wanted = operations.map((operation, index) => {
    const { id, permission, exemptions } = describeOperation(operation);
    const needed = exemptions.permission === undefined ? `\`${permission}\`` : `_${exemptions.permission}_`;
    return tableRow([`\`${id}\``, needed, ...roles.map((role) => (compiled.allows(role, index) ? "✓" : "·"))]);
  });

  it("of every role for every operation are those of the page", () => {
    const written = rowsOf(/^\| `\w+\.\w+`/);
    const wrong = [
      ...wanted.filter((row) => !written.includes(row)).map((row) => `add to ${page}, if it is meant: ${row}`),
      ...written.filter((row) => !wanted.includes(row)).map((row) => `remove from ${page}, if it is meant: ${row}`),
    ];
    expect(wrong).toEqual([]);
    expect(written).toEqual(wanted.toSorted());
  });

  it("of every role are those of the page", () => {
    const wantedRoles = roles.map((role) =>
      tableRow([`\`${role}\``, rolePermissions[role].map((one) => `\`${one}\``).join(", ")]),
    );
    expect(rowsOf(/^\| `\w+` /)).toEqual(wantedRoles);
    expect(rowsOf(/^\| Operation /)).toEqual([tableRow(["Operation", "Permission", ...roles])]);
  });

  it("open no operation of the machines inside to any role", () => {
    const inside = insideOperations();
    expect(inside.map(({ id }) => id)).toContain("tasks.startTask");
    expect(inside.filter(({ permission }) => typeof permission === "string").map(({ id }) => id)).toEqual([]);
  });

  it("name a group and a verb, and the group is the operation's own but for work given to agents, what they remember, reviews of tasks, and withdrawing one", () => {
    const foreign = operations.map(describeOperation).flatMap(({ id, permission }) => {
      const [group, verb] = typeof permission === "string" ? permission.split(":") : [id.split(".")[0], "exempt"];
      return group === id.split(".")[0] && verb ? [] : [`${id} needs ${permission}`];
    });
    expect(foreign).toEqual([
      "agents.dispatchTask needs tasks:write",
      "agents.forgetMemory needs chat:answer", // what an agent remembers was said in conversations
      "agents.listAgentTasks needs tasks:read",
      "agents.listMemory needs chat:read",
      "approvals.withdraw needs tasks:write", // whoever asks for a task takes it back
      "evaluations.listReviews needs tasks:read", // a review shows what a task was given and answered
      "evaluations.listShadowRuns needs tasks:read",
      "evaluations.submitReview needs tasks:feedback", // a review's verdict is feedback
    ]);
  });
});
