import type { OutgoingMail } from "./channel-ports.ts";
import type { EmailChannelConfig } from "./channel-schemas.ts";
import type { Block } from "./delivery-text.ts";
import type { MailPlace } from "./email-incoming.ts";

export interface Reply {
  readonly message: string;
  /** How many pieces of the message were sent before. */
  readonly sentBefore: number;
  readonly blocks: readonly Block[];
  /** A person who writes it; null: the agent does. */
  readonly person: string | null;
  /** What tells its reader that an agent answers. */
  readonly disclosure: string | null;
}

/** A reply as a message to whoever wrote. */
export function composeMail(config: EmailChannelConfig, place: MailPlace, reply: Reply): OutgoingMail {
  const domain = config.address.slice(config.address.lastIndexOf("@") + 1);
  const footer = reply.person ?? reply.disclosure;
  const texts = reply.blocks.map(({ text }) => text);
  const subject = /^\s*(re|aw|sv|antw|odp)\s*:/i.test(place.subject) ? place.subject : `Re: ${place.subject}`.trim();
  return {
    from: { name: config.sender_name ?? "", address: config.address },
    to: { name: place.name, address: place.to },
    subject,
    text: [...texts, ...(footer === null ? [] : [`-- \n${footer}`])].join("\n\n"),
    html: htmlOf(texts, footer),
    messageId: `<${reply.message}.${reply.sentBefore}@${domain}>`,
    ...(isId(place.last) ? { inReplyTo: `<${place.last}>` } : { inReplyTo: null }),
    references: place.references.filter(isId).map((id) => `<${id}>`),
  };
}

/** Whether it can stand in a header: some messages have no id, or none that follows the rules. */
const isId = (id: string): boolean => /^[\x21-\x3b\x3d\x3f-\x7e]{1,900}$/.test(id) && id.includes("@");

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character] as string);

/** The same words as a page: paragraphs, and nothing that loads or leads anywhere. */
function htmlOf(texts: readonly string[], footer: string | null): string {
  const paragraphs = texts.flatMap((text) => text.split(/\n{2,}/));
  const body = paragraphs.map((text) => `<p>${escaped(text).replaceAll("\n", "<br>")}</p>`);
  const end = footer === null ? [] : [`<hr><p><small>${escaped(footer).replaceAll("\n", "<br>")}</small></p>`];
  return `<!doctype html><html><head><meta charset="utf-8"></head><body>${[...body, ...end].join("\n")}</body></html>`;
}
