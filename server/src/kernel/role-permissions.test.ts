import { expect, it } from "vitest";
import { roles } from "./principal.ts";
import { roleGrants, roleIncludes, rolesIncluding } from "./role-permissions.ts";

it("opens reading to every role, but audit and admin by name only", () => {
  for (const role of roles) expect(roleGrants(role, "tasks:read"), role).toBe(true);
  expect(roles.filter((role) => roleGrants(role, "audit:read"))).toEqual(["auditor", "admin"]);
  expect(roles.filter((role) => roleGrants(role, "admin:read"))).toEqual(["admin"]);
  expect(roles.filter((role) => roleGrants(role, "approvals:decide"))).toEqual(["approver", "admin"]);
});

it("opens changes in a new group to builders, but evaluations, governance and admin by name only", () => {
  expect(roles.filter((role) => roleGrants(role, "notes:write"))).toEqual(["builder", "admin"]);
  expect(roles.filter((role) => roleGrants(role, "notes:publish"))).toEqual(["admin"]);
  expect(roles.filter((role) => roleGrants(role, "evaluations:write"))).toEqual(["evaluator", "admin"]);
  for (const group of ["admin", "approvals", "audit", "governance"])
    expect(roles.filter((role) => roleGrants(role, `${group}:write`))).toEqual(["admin"]);
});

it("orders roles by what they may do: admin over all, viewer under all, the others side by side but builder over operator", () => {
  for (const role of roles) {
    expect(roleIncludes("admin", role), role).toBe(true);
    expect(roleIncludes(role, "viewer"), role).toBe(true);
    expect(roleIncludes(role, role), role).toBe(true);
    expect(roleIncludes(role, "admin"), role).toBe(role === "admin");
  }
  expect(rolesIncluding("operator")).toEqual(["operator", "builder", "admin"]);
  expect(rolesIncluding("approver")).toEqual(["approver", "admin"]);
  expect(rolesIncluding("evaluator")).toEqual(["evaluator", "admin"]);
});
