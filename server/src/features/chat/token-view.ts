import type { Principal } from "../../kernel/principal.ts";

/**
 * What the holder of a chat token is shown of messages, conversations and events: not what tools were given and answered, where people approve, and what is said of
 * the user to the agent and to who takes over. A key sees everything.
 */
export function seenBy<T>({ chat }: Pick<Principal, "chat">, value: T): T {
  return chat ? (shown(value) as T) : value;
}

function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, shown(one)]),
  );
  if (copy.type === "tool_call") return { ...copy, arguments: {}, result: null, failure: null };
  if (copy.type === "approval") return { ...copy, approve_url: "" };
  if (!("handoff" in copy)) return copy;
  const handoff = copy.handoff && { ...copy.handoff, reason: "", summary: "" };
  return { ...copy, handoff, held_by: null, context: {}, labels: [] };
}
