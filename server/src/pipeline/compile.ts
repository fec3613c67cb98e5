import { compileQuery, compileSchema, type QueryValidator, type Validator } from "@aos/json-schema";
import type { Operation } from "../kernel/operation.ts";
import { open, type SealedSpec } from "../kernel/operation-seal.ts";
import { type CompiledRoles, compileRoles } from "./permissions.ts";

/** An operation ready to run: its place in the bit sets, and validators made at their first use. */
export interface CompiledOperation {
  readonly spec: SealedSpec;
  readonly index: number;
  readonly roles: CompiledRoles;
  query(): QueryValidator | null;
  body(): Validator | null;
  /** Of a body with a file. */
  form(): Validator | null;
}

/** Compiles the registry: the order of `operations` is the order of the bits. */
export function compileOperations(operations: readonly Operation[]): Map<Operation, CompiledOperation> {
  const roles = compileRoles(operations);
  return new Map(operations.map((operation, index) => [operation, compileOne(open(operation), index, roles)]));
}

function compileOne(spec: SealedSpec, index: number, roles: CompiledRoles): CompiledOperation {
  const { query, body, receives } = spec;
  return {
    spec,
    index,
    roles,
    query: query ? lazily(() => compileQuery(query)) : () => null,
    body: body ? lazily(() => compileSchema(body)) : () => null,
    form: receives ? lazily(() => compileSchema(receives.form)) : () => null,
  };
}

/** Made at the first call: most operations of a process are never called, and a start should not pay for them. */
function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
