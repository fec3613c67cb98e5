import type { RecordToolDefinition, ToolDefinition } from "./definition.ts";

/** Whether this release can call a tool: it looks records up. A version with others is frozen and compared, and does not run. */
export function isRunnable(tool: ToolDefinition): tool is RecordToolDefinition {
  return tool.kind === "record";
}
