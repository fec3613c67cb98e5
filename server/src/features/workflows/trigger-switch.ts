import type { WorkflowDefinition } from "@aos/workflow";
import type { WriteContext } from "../../kernel/context.ts";

/** Makes the triggers of a version those of the workflow in the environment of the call; null: no version is live any more. */
export async function switchTriggers(
  _ctx: WriteContext,
  _workflow: string,
  _version: { readonly definition: WorkflowDefinition } | null,
): Promise<void> {}
