import type { Operation } from "../../kernel/operation.ts";
import { listEvents } from "./operations/list-events.ts";
import { readCheckpoint } from "./operations/read-checkpoint.ts";
import { readEvent } from "./operations/read-event.ts";
import { readProof } from "./operations/read-proof.ts";
import type { AuditPort } from "./ports.ts";

export type { AuditPort, CheckpointResult, Commitments, ProofResult } from "./ports.ts";

/** The operations of this slice, over the log's machine. */
export function createAuditOperations(port: AuditPort): readonly Operation[] {
  return [listEvents, readEvent(port), readProof(port), readCheckpoint(port)];
}
