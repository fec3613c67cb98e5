import { thrownInside } from "../kernel/errors.ts";
import type { NewId } from "../kernel/ids.ts";
import type { InsideOperation, Operation } from "../kernel/operation.ts";
import { type Scope, systemPrincipal } from "../kernel/principal.ts";
import type { Call } from "./call.ts";
import type { Pipeline } from "./run.ts";

/** Runs an operation for a machine of the service itself: same stages, same record. A refusal is thrown; where the service itself failed, an `InfrastructureError`. */
export type Inside = <I, O>(operation: InsideOperation<I, O>, job: string, scope: Scope, input: I) => Promise<O>;

const nothing = (): null => null;
const never = new AbortController().signal;
const neverAborted = (): AbortSignal => never;

/** The entry for machines inside. */
export function createInside(pipeline: Pipeline, newId: NewId): Inside {
  return async <I, O>(operation: InsideOperation<I, O>, job: string, scope: Scope, input: I): Promise<O> => {
    const { output, refusal } = await pipeline.run(
      operation,
      insideCall(newId("req"), operation, job, scope, input as object, {}),
    );
    if (refusal) throw thrownInside(refusal);
    return output as O;
  };
}

/** The call of a machine: parameters and body as they are, no wire in between. */
export function insideCall(
  requestId: string,
  operation: Operation,
  job: string,
  scope: Scope,
  params: object,
  body: unknown,
): Call {
  return {
    requestId,
    credential: { kind: "inside", principal: systemPrincipal(job), scope },
    address: null,
    params: params as Record<string, string>,
    query: "",
    readBody: () => body,
    bodyLength: 0,
    bodyDigest: nothing,
    idempotencyKey: null,
    ifMatch: null,
    ifNoneMatch: null,
    accept: null,
    prefer: null,
    lastEventId: null,
    signal: neverAborted,
    batch: null,
    target: `INSIDE ${operation.id}`,
  };
}
