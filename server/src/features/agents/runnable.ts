import type { McpToolDefinition, ToolDefinition } from "./definition.ts";

/** A tool that this release can call. */
export type RunnableTool = Exclude<ToolDefinition, McpToolDefinition>;

/** Whether this release can call a tool: all but those of MCP servers. A version with others is frozen and compared, and does not run. */
export function isRunnable(tool: ToolDefinition): tool is RunnableTool {
  return tool.kind !== "mcp";
}
