import { isoTime } from "../../kernel/clock.ts";
import type { ListedTrigger } from "./trigger-store.ts";
import type { WorkflowTrigger } from "./triggers-schemas.ts";

export function triggerView(row: ListedTrigger): WorkflowTrigger {
  const { last_error, last_error_at } = row;
  const failure = last_error === null ? null : (JSON.parse(last_error) as { code: string; detail: string });
  return {
    trigger_id: row.id,
    workflow: row.workflow,
    kind: row.kind as WorkflowTrigger["kind"],
    definition: row.definition,
    origin: row.origin as WorkflowTrigger["origin"],
    runs_as: row.principal,
    active: row.active,
    stopped_reason: row.stopped_reason,
    next_at: isoTime(row.next_at),
    last_at: isoTime(row.last_at),
    last_run: row.last_run,
    last_error: failure && last_error_at && { ...failure, at: last_error_at.toISOString() },
    created_at: row.created_at.toISOString(),
  };
}
