import type { Trigger } from "@aos/workflow";
import { Type } from "typebox";
import { isoTime } from "../../../kernel/clock.ts";
import { isId } from "../../../kernel/ids.ts";
import { exempt } from "../../../kernel/operation.ts";
import { defineResource } from "../../../resources/resource.ts";
import { computed, json, type StoredRow } from "../../../resources/rows.ts";
import { erasedBy, erasedWithRow, ownTables, passing, untilRemoved } from "../../../resources/tables.ts";
import { WorkflowName } from "../definitions/schemas.ts";
import { findWorkflow } from "../definitions/store.ts";
import { exampleTrigger } from "./example.ts";
import { WorkflowTrigger, WorkflowTriggerId } from "./schemas.ts";

export const owned = ownTables({
  workflow_triggers: {
    keeps: untilRemoved("People remove a trigger that was added; the next version replaces those of its definition."),
    personal: {
      columns: ["definition", "principal", "actor", "last_error", "stopped_reason"],
      erased: erasedBy("workflows.removeTrigger"),
    },
  },
  workflow_firings: {
    keeps: passing("Starting or refusing the run deletes it."),
    personal: { columns: ["event", "deciders"], erased: erasedWithRow("The run that it starts keeps the event.") },
  },
  workflow_event_heads: {
    keeps: untilRemoved("One row for each environment: the last event that triggers have seen."),
    personal: exempt("a position"),
  },
});

interface TriggerJson {
  readonly definition: Trigger;
}
interface TriggerState {
  /** It has not stopped, a version is live, and the workflow is not paused. */
  readonly active: boolean;
  readonly failure: { readonly code: string; readonly detail: string } | null;
}
export type TriggerRow = StoredRow<"workflow_triggers", TriggerJson>;
export type ListedTrigger = TriggerRow & TriggerState;

/** SQL over the alias `r`. */
export const activeTrigger = `(r.stopped_reason is null
  and exists (select from workflow_releases l where l.organization = r.organization and l.environment = r.environment
    and l.workflow = r.workflow and l.ended_at is null)
  and not exists (select from workflow_pauses p where p.organization = r.organization and p.environment = r.environment
    and p.workflow = r.workflow))`;

interface LoadedTrigger {
  readonly row: ListedTrigger;
  /** Those of the workflow. */
  readonly agents: readonly string[];
}

const ofWorkflow = ({ workflow }: { readonly workflow: string }): string => `workflow:${workflow}`;

export const triggers = defineResource({
  table: owned.workflow_triggers,
  key: "id",
  isKey: (text) => isId(text, "wtr"),
  json: json<TriggerJson>()("definition"),
  computed: computed<TriggerState>({ active: activeTrigger, failure: "r.last_error::json" }),
  path: "/v1/workflows/{workflow}/triggers",
  params: Type.Object({ workflow: WorkflowName }),
  member: Type.Object({ workflow: WorkflowName, trigger: WorkflowTriggerId }),
  parent: (ctx, { workflow }) => findWorkflow(ctx, workflow),
  async load(ctx, { workflow, trigger }): Promise<LoadedTrigger | undefined> {
    const found = await findWorkflow(ctx, workflow);
    const row = await triggers.rows.find(ctx, trigger);
    return found && row?.workflow === found.name ? { row, agents: found.agents } : undefined;
  },
  rowOf: ({ row }) => row,
  item: WorkflowTrigger,
  identity: "trigger_id",
  example: { params: { workflow: exampleTrigger.workflow, trigger: exampleTrigger.trigger_id }, item: exampleTrigger },
  view: (row) => ({
    trigger_id: row.id,
    workflow: row.workflow,
    kind: row.kind,
    definition: row.definition,
    origin: row.origin,
    runs_as: row.principal,
    active: row.active,
    stopped_reason: row.stopped_reason,
    next_at: isoTime(row.next_at),
    last_at: isoTime(row.last_at),
    last_run: row.last_run,
    last_error: row.failure && row.last_error_at && { ...row.failure, at: isoTime(row.last_error_at) },
    created_at: isoTime(row.created_at),
  }),
  object: ofWorkflow,
  objects: ofWorkflow,
  permission: { read: "workflows:read", change: "workflows:write" },
  governs: { read: "workflow.read", change: "workflow.trigger" },
  decides: "trigger",
});
