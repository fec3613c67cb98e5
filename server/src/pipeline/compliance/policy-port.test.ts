import { expect, it } from "vitest";
import type { StatedPolicy } from "../../features/governance/ports.ts";
import { createPolicyPort } from "./policy-port.ts";

const policy: StatedPolicy = {
  id: "pol_1",
  version: 1,
  state: "draft",
  scope: { actions: ["task.dispatch"] },
  when: 'agent.name == "sales"',
  effect: "deny",
  params: {},
  reason_code: "closed",
  message: "Sales is closed.",
  controls: [],
  effective_from: null,
  effective_until: null,
};

it("finds no fault in a policy that compiles, and every fault with its place in one that does not", () => {
  const { faults } = createPolicyPort(() => ({ known: undefined, override: {} }));
  expect(faults(policy)).toEqual([]);
  expect(faults({ ...policy, when: "agent.nam == 1", message: "" })).toMatchObject([
    { pointer: "/message" },
    { pointer: "/when", line: 1, column: expect.any(Number) },
  ]);
});
