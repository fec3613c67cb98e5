import { registry, signInOperations } from "../../server/src/features/index.ts";
import type { Operation } from "../../server/src/kernel/operation.ts";
import { describe, type OperationDescription } from "../../server/src/kernel/operation-seal.ts";

/** Those that have an address. */
export function publishedOperations(): readonly Operation[] {
  return registry.operations.filter((operation) => describe(operation).door === "http");
}

/** Those that machines inside call, by id. */
export function insideOperations(): readonly OperationDescription[] {
  return registry.operations
    .map(describe)
    .filter(({ door }) => door === "inside")
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Those of the portal's sign-in, which no description of the interface holds. */
export function describedSignIn(): readonly OperationDescription[] {
  return Object.values<Operation>(signInOperations).map(describe);
}
