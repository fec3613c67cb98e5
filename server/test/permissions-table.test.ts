import { describe, expect, it } from "vitest";
import { insideOperations, publishedOperations } from "../../scripts/checks/registry.ts";
import { describe as describeOperation } from "../src/kernel/operation-seal.ts";
import { type Role, roles } from "../src/kernel/principal.ts";
import { compileRoles } from "../src/pipeline/permissions.ts";

// Written by hand, in the order of the registry: who changes what a role may do changes it here, for reviewers to see. The columns are the roles
// viewer, operator, builder, evaluator, approver, auditor, admin; ✓ may call, · may not.

const columns: readonly Role[] = ["viewer", "operator", "builder", "evaluator", "approver", "auditor", "admin"];

const table = `
                            vwr opr bld evl apr aud adm
agents.listAgents            ✓   ✓   ✓   ✓   ✓   ✓   ✓
agents.readAgent             ✓   ✓   ✓   ✓   ✓   ✓   ✓
agents.dispatchTask          ·   ✓   ✓   ·   ·   ·   ✓

tasks.listTasks              ✓   ✓   ✓   ✓   ✓   ✓   ✓
tasks.readTask               ✓   ✓   ✓   ✓   ✓   ✓   ✓
tasks.cancelTask             ·   ✓   ✓   ·   ·   ·   ✓

approvals.listApprovals      ✓   ✓   ✓   ✓   ✓   ✓   ✓
approvals.readApproval       ✓   ✓   ✓   ✓   ✓   ✓   ✓
approvals.approve            ·   ·   ·   ·   ✓   ·   ✓
approvals.reject             ·   ·   ·   ·   ✓   ·   ✓

audit.listEvents             ·   ·   ·   ·   ·   ✓   ✓
audit.readEvent              ·   ·   ·   ·   ·   ✓   ✓
audit.readProof              ·   ·   ·   ·   ·   ✓   ✓
audit.readCheckpoint         ·   ·   ·   ·   ·   ✓   ✓

admin.listKeys               ·   ·   ·   ·   ·   ·   ✓
admin.issueKey               ·   ·   ·   ·   ·   ·   ✓
admin.revokeKey              ·   ·   ·   ·   ·   ·   ✓
admin.whoami                 ✓   ✓   ✓   ✓   ✓   ✓   ✓
`;

const written = new Map(
  table
    .trim()
    .split("\n")
    .slice(1)
    .filter((line) => line !== "")
    .map((line) => line.trim().split(/\s+/))
    .map(([id, ...marks]) => [id as string, marks.join(" ")]),
);

describe("the permissions", () => {
  const operations = publishedOperations();
  const compiled = compileRoles(operations);
  const actual = operations.map(({ id }, index) => [id, columns.map((role) => (compiled.allows(role, index) ? "✓" : "·")).join(" ")]);

  it("of every role for every operation are those of the table", () => {
    expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(written));
  });

  it("are tabled for all roles", () => {
    expect(columns).toEqual(roles);
  });

  it("open no operation of the machines inside to any role", () => {
    const inside = insideOperations();
    expect(inside.map(({ id }) => id)).toContain("tasks.startTask");
    expect(inside.filter(({ permission }) => typeof permission === "string").map(({ id }) => id)).toEqual([]);
  });

  it("name a group and a verb, and the group is the operation's own but for work given to agents", () => {
    const foreign = operations.map(describeOperation).flatMap(({ id, permission }) => {
      const [group, verb] = typeof permission === "string" ? permission.split(":") : [id.split(".")[0], "exempt"];
      return group === id.split(".")[0] && verb ? [] : [`${id} needs ${permission}`];
    });
    expect(foreign).toEqual(["agents.dispatchTask needs tasks:write"]);
  });
});
