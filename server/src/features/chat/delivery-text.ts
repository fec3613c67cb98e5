import { createHash } from "node:crypto";
import type { MessageRow } from "./message-store.ts";
import type { Part } from "./schemas.ts";

/** A piece of a reply as it is sent. */
export interface Block {
  readonly text: string;
  /** By which it is known that it was sent. */
  readonly digest: string;
}

/** What is sent of a reply: its text, sources and notices; tool calls are not. */
export function blocksOf({ id, parts }: Pick<MessageRow, "id" | "parts">): Block[] {
  const all = JSON.parse(parts) as Part[];
  const texts = [...all.flatMap(textOfPart), ...sourcesOf(all)];
  return texts.map((text) => ({
    text,
    digest: createHash("sha256").update(`${id} ${text}`).digest("hex").slice(0, 32),
  }));
}

export const unsent = (blocks: readonly Block[], told: readonly string[]): Block[] =>
  blocks.filter(({ digest }) => !told.includes(digest));

function textOfPart(part: Part): string[] {
  if (part.type === "text") return part.text.trim() === "" ? [] : [part.text.trim()];
  if (part.type === "file") return [`[${part.name}]`];
  if (part.type === "approval" && part.state === "pending")
    return [`This waits until somebody approves: ${part.summary}`];
  if (part.type !== "notice" || part.code === "disclosure") return [];
  const options = part.options?.map((option) => `- ${option}`) ?? [];
  return [[part.text, ...options].join("\n")];
}

function sourcesOf(parts: readonly Part[]): string[] {
  const named = parts.flatMap((part) => (part.type === "citation" ? [part] : []));
  const lines = named.map(({ title, url }) => (url === null ? title : `${title} (${url})`));
  return lines.length === 0 ? [] : [`Sources:\n${[...new Set(lines)].map((line) => `- ${line}`).join("\n")}`];
}
