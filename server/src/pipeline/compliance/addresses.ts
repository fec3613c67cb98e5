import { isIP } from "node:net";
import { domainToASCII } from "node:url";

/** Longest text in which `domain` looks for one: the bound of an e-mail address is 254 (RFC 5321), of a URL in practice 2,048. */
const MAX_DOMAIN_TEXT = 2048;

/**
 * Whether an IP address lies in a CIDR block (RFC 4632, RFC 4291), of version 4 or 6. An IPv4-mapped IPv6 address (`::ffff:10.0.0.1`)
 * counts as the IPv4 address that it carries. Throws RangeError where either text is ill-formed: a policy must not read "outside"
 * out of an address that it could not read.
 */
export function inCidr(ip: string, cidr: string): boolean {
  const block = parseCidr(cidr);
  if (!block) throw new RangeError("the second argument of inCidr is not a CIDR block");
  const address = parseAddress(ip);
  if (!address) throw new RangeError("the first argument of inCidr is not an IP address");
  if (address.length !== block.words.length) return false;
  for (let i = 0, left = block.bits; left > 0; i++, left -= 16) {
    const mask = left >= 16 ? 0xffff : (0xffff << (16 - left)) & 0xffff;
    if ((((address[i] as number) ^ (block.words[i] as number)) & mask) !== 0) return false;
  }
  return true;
}

/** Whether a text is a CIDR block that `inCidr` takes. */
export function isCidr(text: string): boolean {
  return parseCidr(text) !== null;
}

function parseCidr(cidr: string): { words: number[]; bits: number } | null {
  const slash = cidr.indexOf("/");
  if (slash < 0) return null;
  const digits = cidr.slice(slash + 1);
  if (!/^\d{1,3}$/.test(digits)) return null;
  const words = parseAddress(cidr.slice(0, slash));
  if (!words) return null;
  const written = cidr.slice(0, slash);
  const mapped = words.length === 2 && written.includes(":");
  const bits = Number(digits) - (mapped ? 96 : 0);
  return bits >= 0 && bits <= words.length * 16 ? { words, bits } : null;
}

/** An address as words of 16 bits: two for version 4 (and mapped addresses), eight for version 6; null when ill-formed or with a zone. */
function parseAddress(text: string): number[] | null {
  const version = isIP(text);
  if (version === 4) return parseV4(text);
  if (version !== 6 || text.includes("%")) return null;
  let body = text;
  const dotted = body.lastIndexOf(":") + 1;
  let ending: number[] = [];
  if (body.includes(".")) {
    ending = parseV4(body.slice(dotted));
    body = body.slice(0, dotted);
    if (!body.endsWith("::")) body = body.slice(0, -1);
  }
  const [head = "", rest] = body.split("::");
  const left = hexWords(head);
  const right = rest === undefined ? [] : hexWords(rest);
  const gap = new Array<number>(Math.max(0, 8 - left.length - right.length - ending.length)).fill(0);
  const words = [...left, ...gap, ...right, ...ending];
  const isMapped = words[5] === 0xffff && words.slice(0, 5).every((word) => word === 0);
  return isMapped ? words.slice(6) : words;
}

const hexWords = (text: string): number[] =>
  text === "" ? [] : text.split(":").map((word) => Number.parseInt(word, 16));

function parseV4(text: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = text.split(".").map(Number);
  return [a * 256 + b, c * 256 + d];
}

/**
 * The domain of an e-mail address, of a URL or of a bare host name: lower case, in ASCII form (`bücher.de` is `xn--bcher-kva.de`), without a
 * dot at its end. URLs are read as browsers read them (WHATWG URL), so what stands before an `@` in front of the host does not deceive.
 * Throws RangeError where no domain can be read: a policy must not take "not on my list" out of a text that it could not read.
 */
export function domain(text: string): string {
  if (text.length > MAX_DOMAIN_TEXT) throw new RangeError(`domain reads at most ${MAX_DOMAIN_TEXT} characters`);
  const host = hostOf(text.trim());
  const ascii = host.startsWith("[") ? host : domainToASCII(host);
  const name = ascii.endsWith(".") ? ascii.slice(0, -1) : ascii;
  if (name === "" || /[\s<>]/.test(host)) throw new RangeError("the text given to domain has none");
  return name.toLowerCase();
}

function hostOf(text: string): string {
  const mail = text.replace(/^mailto:/i, "");
  const relative = /^[/\\]{2}/.test(text);
  if (relative || (mail === text && /^[a-z][a-z0-9+.-]*:/i.test(text))) {
    const written = relative ? `https:${text}` : text;
    return URL.canParse(written) ? new URL(written).hostname : "";
  }
  if (/[/\\?#]/.test(mail)) return ""; // a URL without its scheme, or an address that could be read as one
  const address = mail.endsWith(">") ? mail.slice(mail.lastIndexOf("<") + 1, -1) : mail;
  return address.slice(address.lastIndexOf("@") + 1);
}
