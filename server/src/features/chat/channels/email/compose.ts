import type { OutgoingMail } from "../../ports.ts";
import type { Block } from "../delivery-text.ts";
import type { EmailChannelConfig } from "../schemas.ts";
import type { MailPlace } from "./incoming.ts";

export interface Reply {
  readonly message: string;
  /** Pieces of the message that were sent before. */
  readonly sentBefore: number;
  readonly blocks: readonly Block[];
  /** Null: the agent writes. */
  readonly person: string | null;
  readonly disclosure: string | null;
}

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

function htmlOf(texts: readonly string[], footer: string | null): string {
  const paragraphs = texts.flatMap((text) => text.split(/\n{2,}/));
  const body = paragraphs.map((text) => `<p>${escaped(text).replaceAll("\n", "<br>")}</p>`);
  const end = footer === null ? [] : [`<hr><p><small>${escaped(footer).replaceAll("\n", "<br>")}</small></p>`];
  return `<!doctype html><html><head><meta charset="utf-8"></head><body>${[...body, ...end].join("\n")}</body></html>`;
}
