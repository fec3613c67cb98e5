import { createHash } from "node:crypto";
import { convert } from "html-to-text";
import PostalMime, { addressParser, type Email } from "postal-mime";
import type { EmailChannelConfig } from "../schemas.ts";

export interface AttachedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
}

/** Ids are without angle brackets. */
export interface ReceivedMail {
  readonly id: string;
  /** What it answers: In-Reply-To, then References from the latest. */
  readonly answers: readonly string[];
  /** The message that its thread began with, as far as it says; its own where it begins one. */
  readonly root: string;
  readonly from: { readonly address: string; readonly name: string };
  readonly verified: boolean;
  readonly subject: string;
  readonly text: string;
  readonly files: readonly AttachedFile[];
}

export interface IgnoredMail {
  readonly ignored: "automatic" | "bounce" | "list" | "own" | "no_sender" | "unverified" | "unreadable" | "empty";
}

const longestText = 32_000;
const longestHtml = 2_000_000;
const mostFiles = 10;
const largestFile = 10 * 1024 * 1024;

/** Ignores what no person wrote to this mailbox: answering it could loop. */
export async function readMail(
  source: Uint8Array,
  config: Pick<EmailChannelConfig, "address" | "trust_authentication_results" | "unverified">,
): Promise<ReceivedMail | IgnoredMail> {
  const mail = await PostalMime.parse(source, { maxNestingDepth: 50, maxHeadersSize: 262_144 }).catch(() => null);
  if (mail === null) return { ignored: "unreadable" };
  const from = senderOf(mail);
  if (from === null) return { ignored: "no_sender" };
  const ignored = whyIgnored(mail, from.address, config.address);
  if (ignored !== null) return { ignored };
  const verified = isAuthenticated(mail.headers, config.trust_authentication_results, from.address);
  if (!verified && config.unverified === "ignore") return { ignored: "unverified" };
  const files = filesOf(mail);
  const text = textOfMail(mail);
  if (text === "" && files.length === 0) return { ignored: "empty" };
  const id = idsIn(mail.messageId)[0] ?? `sha256.${createHash("sha256").update(source).digest("hex")}`;
  const references = idsIn(mail.references);
  const subject = shortened((mail.subject ?? "").replaceAll(/[\s\p{Cc}]+/gu, " ").trim(), 200);
  return {
    id,
    answers: [...idsIn(mail.inReplyTo), ...references.toReversed()],
    root: references[0] ?? id,
    from,
    verified,
    subject,
    text,
    files,
  };
}

/** The beginning of a text as it can be stored: no character is cut in two. */
const shortened = (text: string, most: number): string =>
  text
    .toWellFormed()
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, "");

/** Null unless there is exactly one sender. */
function senderOf({ headers }: Email): ReceivedMail["from"] | null {
  const fields = headers.filter(({ key }) => key === "from");
  const senders = fields.flatMap(({ value }) => addressParser(value, { flatten: true }));
  const [sender] = senders;
  const address = sender?.address?.toLowerCase() ?? "";
  if (senders.length !== 1 || !/^[^\s\p{Cc}@<>"(),:;\\[\]]{1,64}@[a-z0-9][a-z0-9.-]{0,252}$/u.test(address))
    return null;
  return {
    address,
    name: shortened((sender?.name ?? "").replaceAll(/\p{Cc}+/gu, " ").trim(), 100),
  };
}

const machines = /^(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?([+-].*)?)@/;

function whyIgnored({ headers }: Email, from: string, own: string): IgnoredMail["ignored"] | null {
  const value = (name: string): string | undefined =>
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase();
  if (from === own.toLowerCase()) return "own";
  const type = value("content-type") ?? "";
  if (value("return-path") === "<>" || /^multipart\/report\b/.test(type) || value("x-failed-recipients") !== undefined)
    return "bounce";
  if (value("list-id") !== undefined || value("list-post") !== undefined) return "list";
  const auto = value("auto-submitted");
  const says = [value("x-autoreply"), value("x-autorespond"), value("x-auto-response-suppress")];
  const bulk = /^(bulk|junk|list|auto_reply)$/.test(value("precedence") ?? "");
  const isAutomatic =
    (auto !== undefined && !/^no\b/.test(auto)) || says.some((one) => one !== undefined && one !== "no");
  return isAutomatic || bulk || machines.test(from) ? "automatic" : null;
}

const idsIn = (field: string | undefined): string[] =>
  [...(field ?? "").slice(0, 20_000).matchAll(/<([^<>\s\p{Cc}]{1,900})>/gu)]
    .map(([, id]) => (id as string).toWellFormed())
    .slice(-50);

function textOfMail({ text, html }: Email): string {
  const plain = text?.trim() ? text : html === undefined ? "" : textOfHtml(html);
  const said = withoutQuoted(plain.replaceAll("\0", "").toWellFormed());
  return said.length <= longestText ? said : `${shortened(said, longestText - 40)}\n\n[The rest was too long.]`;
}

const textOfHtml = (html: string): string =>
  convert(html, {
    wordwrap: false,
    limits: { maxInputLength: longestHtml, maxDepth: 200, ellipsis: "" },
    selectors: [
      { selector: "blockquote[type=cite]", format: "skip" },
      { selector: ".gmail_quote", format: "skip" },
      { selector: "img", format: "skip" },
      { selector: "a", options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
    ],
  });

/** Without inline images such as a logo. */
const filesOf = ({ attachments }: Email): AttachedFile[] =>
  attachments
    .filter(({ related, content }) => !related && typeof content !== "string" && content.byteLength > 0)
    .map(({ filename, mimeType, content }, at) => ({
      name: (filename ?? `file-${at + 1}`)
        .replaceAll(/[\p{Cc}/\\]+/gu, "_")
        .slice(-200)
        .toWellFormed(),
      mediaType: /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(mimeType) ? mimeType : "application/octet-stream",
      content: new Uint8Array(content as ArrayBuffer),
    }))
    .filter(({ content }) => content.byteLength <= largestFile)
    .slice(0, mostFiles);

export interface Field {
  /** In lower case. */
  readonly key: string;
  readonly value: string;
}

/**
 * Whether the operator's own mail server says that DMARC passed for the domain of an address (RFC 8601). Only fields with its name count, and of these the topmost that
 * says something of DMARC: whatever came with the message stands below.
 */
export function isAuthenticated(fields: readonly Field[], server: string | undefined, address: string): boolean {
  if (server === undefined) return false;
  const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  for (const { key, value } of fields) {
    if (key !== "authentication-results") continue;
    const plain = withoutTexts(value);
    const [name = "", ...results] = plain.text.split(";");
    if (name.trim().split(/\s+/)[0]?.toLowerCase() !== server.toLowerCase()) continue;
    const [dmarc, ...more] = results
      .map((result) => result.trim().toLowerCase())
      .filter((result) => /^dmarc\s*=/.test(result));
    if (!plain.isWhole || more.length > 0) return false;
    if (dmarc === undefined) continue;
    const properties = dmarc.split(/\s+/);
    return /^dmarc\s*=\s*pass(\s|$)/.test(dmarc) && properties.includes(`header.from=${domain}`);
  }
  return false;
}

/**
 * A field without its comments, which stand in brackets and can be nested, and without quoted strings: a sender can choose what they say. `isWhole`: each of them has an
 * end, so that none can hide what follows.
 */
function withoutTexts(field: string): { readonly text: string; readonly isWhole: boolean } {
  let depth = 0;
  let isQuoted = false;
  let text = "";
  for (const [piece] of field.slice(0, 10_000).matchAll(/\\.|./gsu)) {
    if (piece === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (piece === "(") depth += 1;
    else if (piece === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0) text += piece;
  }
  return { text, isWhole: depth === 0 && !isQuoted && field.length <= 10_000 };
}

// What a person wrote in a message, without what mail programs put below it. All patterns are linear in the length of a line.

/** Beginning and end of the line above a quotation, such as `On Monday, Ana wrote:`, by language. */
const attributions: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/^On\s/i, /\bwrote:$/i],
  [/^Am\s/i, /\bschrieb\b[^:]{0,200}:$/i],
  [/^Le\s/i, /\ba écrit\s?:$/i],
  [/^El\s/i, /\bescribió:$/i],
  [/^Il\s/i, /\bha scritto:$/i],
  [/^Op\s/i, /\bschreef\b[^:]{0,200}:$/i],
  [/^Em\s/i, /\bescreveu:$/i],
  [/^(W dniu|Dnia)\s/i, /\bnapisał(\(a\))?\b[^:]{0,200}:$/i],
];
const original =
  /^-{2,}\s{0,5}(Original Message|Ursprüngliche Nachricht|Message d'origine|Mensaje original|Messaggio originale|Oorspronkelijk bericht|Mensagem original|Wiadomość oryginalna)\s{0,5}-{2,}$/i;
const sender = /^\*?(From|Von|De|Da|Van|Od):\*?\s/i;
const sent = /^\*?(Sent|Date|Gesendet|Datum|Envoyé|Enviado|Fecha|Inviato|Data|Verzonden|Wysłano)\s?:\*?\s/i;
const isQuoted = (line: string): boolean => line.startsWith(">");

/**
 * Cuts off the quotation at the end, what stands above it, and the signature. Quoted lines between others stay: they say what is answered. Where nothing would be left, as
 * in a message that is all quotation, the whole is returned.
 */
export function withoutQuoted(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, "\n").split("\n");
  const at = lines.findIndex((_, index) => isCut(lines, index));
  const kept = withoutTrail(at < 0 ? lines : lines.slice(0, at));
  return kept.length > 0 ? kept.join("\n").trim() : lines.join("\n").trim();
}

function isCut(lines: readonly string[], at: number): boolean {
  const line = lines[at] as string;
  if (line === "-- " || line === "--") return true;
  const trimmed = line.trim();
  if (trimmed.length > 500) return false;
  return original.test(trimmed) || isAttribution(lines, at) || isHeaderBlock(lines, at);
}

/** An attribution may go over several lines, and a quotation or the sender's address follows. */
function isAttribution(lines: readonly string[], at: number): boolean {
  const first = (lines[at] as string).trim();
  const known = attributions.find(([begin]) => begin.test(first));
  if (!known) return false;
  for (let more = 0; more < 3 && at + more < lines.length; more += 1) {
    const whole = lines
      .slice(at, at + more + 1)
      .join(" ")
      .trim();
    if (whole.length > 500) return false;
    if (!known[1].test(whole)) continue;
    const next = lines.slice(at + more + 1).find((line) => line.trim() !== "");
    return next === undefined || isQuoted(next) || /[@\d]/.test(whole);
  }
  return false;
}

/** The header that Outlook puts above what it quotes. */
function isHeaderBlock(lines: readonly string[], at: number): boolean {
  const line = lines[at] as string;
  const from = /^_{10,}\s*$/.test(line) ? at + 1 : at;
  const block = lines.slice(from, from + 4).map((one) => one.trim().slice(0, 500));
  return sender.test(block[0] ?? "") && block.slice(1).some((one) => sent.test(one));
}

function withoutTrail(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== "" && !isQuoted(line));
  return lines.slice(0, last + 1);
}
