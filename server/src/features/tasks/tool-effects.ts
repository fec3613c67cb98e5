import type { FactsReader } from "../../kernel/facts.ts";
import type { Scope } from "../../kernel/principal.ts";
import { settingsOf } from "../admin/public.ts";
import type { ToolDefinition } from "../agents/schemas.ts";

// A request by a method that may change its target (RFC 9110, section 9.2.1) is a write, whatever the tool says of itself, unless an admin
// has marked it as a read in the environment's settings (`tools.reads`).

/** An operation of an OpenAPI description, whose method is known when it is called: the marks go with it. */
type WithMarks<T> = T & { readonly markedReads?: readonly string[] };

interface Here {
  readonly facts: FactsReader;
  readonly scope: Scope;
}

/** Tools as they count here: what says that it reads and may not, as a write. */
export function toolsAsMarked<T extends ToolDefinition>(here: Here, tools: readonly T[]): readonly WithMarks<T>[] {
  return tools.some(mayWrite) ? tools.map((tool) => toolAsMarked(here, tool)) : tools;
}

export function toolAsMarked<T extends Pick<ToolDefinition, "effect">>(here: Here, tool: T): WithMarks<T> {
  if (!mayWrite(tool)) return tool;
  const { reads } = settingsOf(here).tools;
  const request = requestOf(tool);
  if (request === null) return { ...tool, markedReads: reads };
  return reads.includes(request) ? tool : { ...tool, effect: "write" };
}

/** Whether a tool says that it reads and calls something that may not. */
function mayWrite(tool: Pick<ToolDefinition, "effect">): boolean {
  if (tool.effect !== "read" || !("kind" in tool) || tool.kind !== "http") return false;
  const request = requestOf(tool);
  return request === null || !/^(?:GET|HEAD) /.test(request);
}

/** `POST https://api.example.com/search`, as an admin marks it; null where a description says it. */
function requestOf(tool: Pick<ToolDefinition, "effect">): string | null {
  const { request } = tool as { request?: { method: string; url: string } };
  return request ? `${request.method} ${request.url.replace(/[?#].*$/s, "")}` : null;
}

/** Whether a call may be made again whose outcome is not known: it only reads, or its receiver knows a repeated one by its key. */
export function isRepeatable(tool: ToolDefinition): boolean {
  return tool.effect === "read" || ("idempotency" in tool && tool.idempotency !== undefined);
}
