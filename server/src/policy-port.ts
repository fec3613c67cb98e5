import type { PolicyPort } from "./features/governance/index.ts";
import { compilePolicy } from "./pipeline/compliance/compile.ts";

/** Joins the governance slice with the compiler of policies. */
export function createPolicyPort(): PolicyPort {
  return {
    faults(policy) {
      const result = compilePolicy(policy);
      return result.ok ? [] : result.faults;
    },
  };
}
