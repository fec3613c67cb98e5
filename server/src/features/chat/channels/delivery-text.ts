import { createHash } from "node:crypto";
import { type NoticeTexts, noticeTexts, type UserLanguage } from "@aos/user-texts";
import { type MessageRow, partsOf } from "../conversations/message-store.ts";
import type { Part } from "../schemas.ts";

export interface Block {
  readonly text: string;
  readonly digest: string;
}

/** What goes out of a message, without what is only for those inside. */
export function blocksOf(message: Pick<MessageRow, "id" | "parts">, language: UserLanguage): Block[] {
  const all = partsOf(message);
  const words = noticeTexts[language];
  const texts = [...all.flatMap((part) => textOfPart(part, words)), ...sourcesOf(all, words)];
  return texts.map((text) => ({
    text,
    digest: createHash("sha256").update(`${message.id} ${text}`).digest("hex").slice(0, 32),
  }));
}

export const unsent = (blocks: readonly Block[], told: readonly string[]): Block[] =>
  blocks.filter(({ digest }) => !told.includes(digest));

function textOfPart(part: Part, { approval }: NoticeTexts): string[] {
  if (part.type === "text") return part.text.trim() === "" ? [] : [part.text.trim()];
  if (part.type === "file") return [`[${part.name}]`];
  if (part.type === "approval" && part.state === "pending") return [approval];
  if (part.type !== "notice" || part.code === "disclosure") return [];
  const options = part.options?.map((option) => `- ${option}`) ?? [];
  return [[part.text, ...options].join("\n")];
}

function sourcesOf(parts: readonly Part[], { sources }: NoticeTexts): string[] {
  const named = parts.flatMap((part) => (part.type === "citation" ? [part] : []));
  const lines = named.map(({ title, url }) => (url === null ? title : `${title} (${url})`));
  return lines.length === 0 ? [] : [`${sources}\n${[...new Set(lines)].map((line) => `- ${line}`).join("\n")}`];
}
