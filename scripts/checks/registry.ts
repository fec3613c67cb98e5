import { readdir } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { createSignInOperations, registry, type SlicePorts } from "../../server/src/features/index.ts";
import type { Operation } from "../../server/src/kernel/operation.ts";
import { describe, type OperationDescription } from "../../server/src/kernel/operation-seal.ts";

/** A port that says nothing: describing an operation needs none of its machines, and calling one is a mistake. */
const silentPort = new Proxy(
  {},
  {
    get: (_target, name) => () => {
      throw new Error(`${String(name)} was called on a registry that is only for describing`);
    },
  },
);

/** Every operation of the service, in the registry's order, without its machines. */
function allOperations(): readonly Operation[] {
  return registry({
    audit: silentPort,
    exports: silentPort,
    policies: silentPort,
    taskEvents: silentPort,
    connections: silentPort,
    signIn: silentPort,
    webhooks: silentPort,
    events: silentPort,
  } as SlicePorts);
}

/** Those that have an address. */
export function publishedOperations(): readonly Operation[] {
  return allOperations().filter((operation) => describe(operation).door === "http");
}

/** Those that machines inside call, by id. */
export function insideOperations(): readonly OperationDescription[] {
  return allOperations()
    .map(describe)
    .filter(({ door }) => door === "inside")
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

const signInOperations = (): readonly Operation[] =>
  Object.values(createSignInOperations(silentPort as SlicePorts["signIn"]));

/** Those of the portal's sign-in, which no description of the interface holds. */
export function describedSignIn(): readonly OperationDescription[] {
  return signInOperations().map(describe);
}

/** What files declare and neither the registry nor the sign-in has. */
export async function forgottenOperations(): Promise<string[]> {
  const known = new Set([...allOperations(), ...signInOperations()].map(({ id }) => id));
  return (await declaredOperations()).map(({ id }) => id).filter((id) => !known.has(id));
}

const slices = path.resolve(import.meta.dirname, "../../server/src/features");

/** Everything that files in the `operations` folders of slices declare by themselves; those made over a port are in the registry only. */
async function declaredOperations(): Promise<readonly OperationDescription[]> {
  const files = (await readdir(slices, { recursive: true }))
    .filter((file) => /^[^/]+\/(?:.+\/)?operations\/(?!.*\.test\.ts$).+\.ts$/.test(file))
    .sort();
  const modules: object[] = await Promise.all(files.map((file) => import(pathToFileURL(path.join(slices, file)).href)));
  return modules.flatMap((module) => Object.values(module)).flatMap((value) => descriptionOf(value) ?? []);
}

/** The description of an operation; undefined for any other export. */
function descriptionOf(value: unknown): OperationDescription | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    return describe(value as Operation);
  } catch {
    return undefined;
  }
}
