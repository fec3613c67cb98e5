import { createSignInOperations, registry, type SlicePorts } from "../../server/src/features/index.ts";
import { signInNames } from "../../server/src/http/sign-in.ts";
import type { Operation } from "../../server/src/kernel/operation.ts";
import { describe, type OperationDescription } from "../../server/src/kernel/operation-seal.ts";

/** Ports that are there and do nothing: describing an operation needs none of its machines, and calling one is a mistake. */
const silent = new Proxy(
  {},
  {
    get: (_target, name) => () => {
      throw new Error(`${String(name)} was called on a registry that is only for describing`);
    },
  },
);
const ports = new Proxy({}, { get: () => silent }) as SlicePorts;

/** Every operation of the service, in the registry's order, without its machines. */
const allOperations = registry(ports);

/** Those that have an address. */
export function publishedOperations(): readonly Operation[] {
  return allOperations.filter((operation) => describe(operation).door === "http");
}

/** Those that machines inside call, by id. */
export function insideOperations(): readonly OperationDescription[] {
  return allOperations
    .map(describe)
    .filter(({ door }) => door === "inside")
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Those of the portal's sign-in, which no description of the interface holds. */
export function describedSignIn(): readonly OperationDescription[] {
  return Object.values(createSignInOperations(ports, signInNames)).map(describe);
}
