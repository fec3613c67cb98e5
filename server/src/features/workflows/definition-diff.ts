import type { WorkflowDefinition } from "@aos/workflow";
import { compare, type Difference } from "../agents/public.ts";
import { inFileOrder } from "./definition-file.ts";
import { digestOf } from "./definition-model.ts";
import type { WorkflowDiff } from "./definitions-schemas.ts";

/** How two definitions differ, field by field; steps are told apart by their ids. */
export function diffDefinitions(before: WorkflowDefinition, after: WorkflowDefinition): Omit<WorkflowDiff, "against"> {
  const changes = compare(inFileOrder(before), inFileOrder(after), ["id", "name"]);
  return {
    summary: summaryOf(changes),
    identical: changes.length === 0,
    before_digest: digestOf(before),
    after_digest: digestOf(after),
    changes,
  };
}

/** `1 step added, limits changed`. */
function summaryOf(changes: readonly Difference[]): string {
  const tops = [...new Set(changes.map(({ path }) => path[0] ?? ""))];
  const parts = tops.flatMap((top) => {
    const within = changes.filter(({ path }) => path[0] === top);
    if (top === "steps" || top === "triggers") return countsOf(within, top.slice(0, -1));
    return [`${top} ${within.length === 1 && within[0]?.path.length === 1 ? within[0].kind : "changed"}`];
  });
  return parts.join(", ") || "no difference";
}

function countsOf(changes: readonly Difference[], noun: string): string[] {
  return (["added", "removed", "changed", "moved"] as const).flatMap((kind) => {
    const concerned = changes.filter((change) => (change.path.length > 2 ? "changed" : change.kind) === kind);
    const many = new Set(concerned.map(({ path }) => path[1])).size;
    return many === 0 ? [] : [`${many} ${noun}${many === 1 ? "" : "s"} ${kind}`];
  });
}
