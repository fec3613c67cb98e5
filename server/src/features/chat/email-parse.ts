import { createHash } from "node:crypto";
import { convert } from "html-to-text";
import PostalMime, { addressParser, type Email } from "postal-mime";
import type { EmailChannelConfig } from "./channel-schemas.ts";
import { isAuthenticated } from "./email-authenticated.ts";
import { withoutQuoted } from "./email-quoted.ts";

/** A file as it was attached. */
export interface AttachedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
}

/** A message that a person sent to a mailbox. Ids of messages are without angle brackets. */
export interface ReceivedMail {
  readonly id: string;
  /** What it answers: In-Reply-To, then References from the latest. */
  readonly answers: readonly string[];
  /** The message that its thread began with, as far as it says; its own where it begins one. */
  readonly root: string;
  readonly from: { readonly address: string; readonly name: string };
  /** Whether the sender's address is theirs. */
  readonly verified: boolean;
  readonly subject: string;
  readonly text: string;
  readonly files: readonly AttachedFile[];
}

/** Why a message is left alone. */
export interface IgnoredMail {
  readonly ignored: "automatic" | "bounce" | "list" | "own" | "no_sender" | "unverified" | "unreadable" | "empty";
}

const longestText = 32_000;
const longestHtml = 2_000_000;
const mostFiles = 10;
const largestFile = 10 * 1024 * 1024;

/** Reads a message as it came. What is not written by a person to this mailbox is ignored: answering it could go round for ever. */
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
    ...{ id, answers: [...idsIn(mail.inReplyTo), ...references.toReversed()], root: references[0] ?? id },
    ...{ from, verified, subject, text, files },
  };
}

/** The beginning of a text as it can be stored: no character is cut in two. */
const shortened = (text: string, most: number): string =>
  text
    .toWellFormed()
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, "");

/** The one who sent it; null where that is nobody, or not one alone. */
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

/** Ids of messages in a header field, without their angle brackets. */
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

/** Files, without pictures that belong to the page of a message such as its logo. */
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
