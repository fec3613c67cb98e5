import type { Work } from "../runs/public.ts";

const addresses = /https?:\/\/[^\s"'<>(){}[\]|\\^`]+/gi;

/** Hosts that a text of ours names in addresses. */
const hostsIn = (text: string): string[] =>
  (text.match(addresses) ?? []).flatMap((address) => {
    const { hostname } = URL.parse(address) ?? {};
    return hostname ? [hostname.replace(/\.$/, "")] : [];
  });

/** Hosts that a reply may link to: those of the agent's tools, and those that its instructions name. */
export function hostsOf({ definition, skill, tools }: Pick<Work, "definition" | "skill" | "tools">): Set<string> {
  const said = [definition.instructions, skill.instructions, skill.description, JSON.stringify(tools)];
  return new Set(said.flatMap((text) => (text === undefined ? [] : hostsIn(text))));
}

/** Hosts of the documents that a search found. What documents say counts as little as what anybody says. */
export function hostsFound(data: unknown): string[] {
  const { chunks } = (data ?? {}) as { readonly chunks?: unknown };
  if (!Array.isArray(chunks)) return [];
  return chunks.flatMap((chunk: { readonly url?: unknown } | null) =>
    typeof chunk?.url === "string" ? hostsIn(chunk.url) : [],
  );
}
