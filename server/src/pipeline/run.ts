import { Refusal, refuse } from "../kernel/errors.ts";
import type { Operation } from "../kernel/operation.ts";
import { databaseUnavailable, internalError, overloaded } from "../kernel/problems.ts";
import { isLockTimeout, isOfMachine, isTransient } from "../kernel/transient.ts";
import { admit, identify, withIdentity } from "./authenticate.ts";
import { authorize } from "./authorize.ts";
import { createBatchLanes } from "./batch-lanes.ts";
import type { Answer, Call } from "./call.ts";
import { compileOperations } from "./compile.ts";
import { createDryRun } from "./dry-run.ts";
import { validate } from "./input.ts";
import { takePlace } from "./limits.ts";
import type { Machine } from "./ports.ts";
import { createRefusals, refusedAt } from "./refusals.ts";
import { settleGrouped, settleOwn, settleRead } from "./settle.ts";
import { type Batches, createSettleBatch } from "./settle-batch.ts";
import { type Reach, type Reached, type Received, receive, type Settle, type Validated } from "./stages.ts";
import { tellWatch } from "./tell-watch.ts";

/** What a call came to: its answer for the wire, and the handler's output for callers inside. */
export interface Outcome {
  readonly answer: Answer;
  readonly output: unknown;
  readonly refusal: Refusal | null;
}

/** The pipeline over a registry. The only way to a handler, and the only maker of contexts. */
export interface Pipeline {
  run(operation: Operation, call: Call): Promise<Outcome>;
}

/** Builds the pipeline. */
export function createPipeline(machine: Machine, operations: readonly Operation[]): Pipeline {
  const compiled = compileOperations(operations);
  const recordRefusal = createRefusals(machine);
  const settlementOf = settlements({ run, lanes: createBatchLanes() });

  async function run(operation: Operation, call: Call): Promise<Outcome> {
    const known = compiled.get(operation);
    if (!known) throw new Error(`operation ${operation.id} is not in the registry`);
    const go = () => pass(receive(machine, known, call));
    return machine.watch === null ? go() : machine.watch.run(operation.id, call, go);
  }

  /** The stages in their order. Each takes what the one before returned. */
  async function pass(received: Received): Promise<Outcome> {
    const { spec, times } = received;
    let last: Reached = received;
    const reached: Reach = (stage) => {
      last = stage;
      return stage;
    };
    let leave: (() => void) | null = null;
    try {
      const authenticated = reached(withIdentity(received, await identify(received)));
      const admitted = reached(admit(authenticated));
      leave = takePlace(admitted);
      const authorized = reached(await authorize(admitted, reached));
      times.permitted = performance.now();
      const validated = await validate(authorized, reached);
      times.read = performance.now();
      const settled = await settlementOf(validated)(validated, reached);
      tellWatch(last, settled.answer.status, settled, null);
      return { answer: settled.answer, output: settled.output, refusal: null };
    } catch (error) {
      times.refused = performance.now();
      const refusal = error instanceof Refusal ? error : fault(received, error);
      if (refusal.cause) machine.report(refusal.cause, received.call.requestId, spec.id);
      const refused = refusedAt(last, refusal);
      const { answer, object } = await recordRefusal(refused, refusal);
      tellWatch(refused, answer.status, { object, events: [] }, refusal.type.code);
      return { answer, output: undefined, refusal };
    } finally {
      leave?.();
    }
  }
  return { run };
}

/** The rest of the sequence, from govern to answer, by how the operation commits. A dry run is a variation of its own; so is a replay, within these. */
function settlements(batches: Batches): (validated: Validated) => Settle {
  const settle = { read: settleRead, own: settleOwn, grouped: settleGrouped, batch: createSettleBatch(batches) };
  const dryRun = createDryRun(batches);
  return ({ spec, dryRun: isDryRun }) => (isDryRun ? dryRun : settle[spec.kind]);
}

function fault({ machine, call, spec }: Received, error: unknown): Refusal {
  if (isLockTimeout(error))
    return refuse(
      overloaded,
      "Other work holds what the call would change, for longer than it waits. Nothing was changed.",
      {
        headers: { "Retry-After": "5" },
      },
    );
  machine.report(error, call.requestId, spec.id);
  const headers = { "Retry-After": "5" };
  if (isOfMachine(error))
    return refuse(overloaded, "The machine of this process is short of memory, disk or files.", { headers });
  if (isTransient(error))
    return refuse(databaseUnavailable, "The database took too long to answer, or the connection to it broke.", {
      headers,
    });
  return refuse(internalError, "The service failed; the fault has been logged under the request id.");
}
