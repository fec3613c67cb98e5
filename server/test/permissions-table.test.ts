import { describe, expect, it } from "vitest";
import { insideOperations, publishedOperations } from "../../scripts/checks/registry.ts";
import { describe as describeOperation } from "../src/kernel/operation-seal.ts";
import { type Role, roles } from "../src/kernel/principal.ts";
import { compileRoles } from "../src/pipeline/permissions.ts";
import * as budgets from "./permissions/budgets.ts";
import * as connections from "./permissions/connections.ts";
import * as core from "./permissions/core.ts";
import * as deployments from "./permissions/deployments.ts";
import * as drafts from "./permissions/drafts.ts";
import * as evaluations from "./permissions/evaluations.ts";
import * as exported from "./permissions/exports.ts";
import * as feedback from "./permissions/feedback.ts";
import * as knowledge from "./permissions/knowledge.ts";
import * as people from "./permissions/people.ts";
import * as policies from "./permissions/policies.ts";
import * as stops from "./permissions/stops.ts";
import * as surface from "./permissions/surface.ts";
import * as training from "./permissions/training.ts";
import * as trust from "./permissions/trust.ts";
import * as webhooks from "./permissions/webhooks.ts";
import * as workbench from "./permissions/workbench.ts";

// Written by hand, in the files under permissions/: who changes what a role may do changes it there, for reviewers to see. The columns are the roles
// viewer, operator, builder, evaluator, approver, auditor, admin; ✓ may call, · may not.

const columns: readonly Role[] = ["viewer", "operator", "builder", "evaluator", "approver", "auditor", "admin"];

const tables = [
  core,
  drafts,
  deployments,
  surface,
  workbench,
  policies,
  budgets,
  stops,
  exported,
  people,
  feedback,
  trust,
  training,
  knowledge,
  evaluations,
  connections,
  webhooks,
];

const lines = tables
  .flatMap(({ rows }) => rows.split("\n").slice(2))
  .filter((line) => line !== "")
  .map((line) => line.trim().split(/\s+/))
  .map(([id, ...marks]): [string, string] => [id as string, marks.join(" ")]);

describe("the permissions", () => {
  const operations = publishedOperations();
  const compiled = compileRoles(operations);
  const actual = operations.map(({ id }, index) => [
    id,
    columns.map((role) => (compiled.allows(role, index) ? "✓" : "·")).join(" "),
  ]);

  it("of every role for every operation are those of the table", () => {
    expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(lines));
  });

  it("are tabled once for every operation", () => {
    const ids = lines.map(([id]) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it("are tabled for all roles", () => {
    expect(columns).toEqual(roles);
  });

  it("open no operation of the machines inside to any role", () => {
    const inside = insideOperations();
    expect(inside.map(({ id }) => id)).toContain("tasks.startTask");
    expect(inside.filter(({ permission }) => typeof permission === "string").map(({ id }) => id)).toEqual([]);
  });

  it("name a group and a verb, and the group is the operation's own but for work given to agents and for reviews of tasks", () => {
    const foreign = operations.map(describeOperation).flatMap(({ id, permission }) => {
      const [group, verb] = typeof permission === "string" ? permission.split(":") : [id.split(".")[0], "exempt"];
      return group === id.split(".")[0] && verb ? [] : [`${id} needs ${permission}`];
    });
    expect(foreign).toEqual([
      "agents.dispatchTask needs tasks:write",
      "evaluations.giveReview needs tasks:feedback", // a review's verdict is feedback
      "evaluations.listReviews needs tasks:read", // a review shows what a task was given and answered
    ]);
  });
});
