import { isDigit, isLower, isUpper, isWord, type Text } from "./characters.ts";
import type { Found } from "./classes.ts";
import { contextOf } from "./context.ts";

/*
 * Addresses of hosts. What singles nobody out is left alone: unspecified, loopback, multicast and reserved addresses, network masks, and networks
 * (192.0.2.0/24). RFC 791, RFC 1122, RFC 6890; the text forms are those of RFC 4291 section 2.2.
 */

/** The most units of an IPv4 address in text. */
const LONGEST_V4 = 15;
const LONGEST_V6 = 45;

/** An IPv4 address whose first digit stands at `start`. */
export function ipv4At(text: Text, start: number, name: string): Found | null {
  const octets: number[] = [];
  let at = start;
  while (octets.length < 4 && at - start <= LONGEST_V4) {
    const octet = octetAt(text, at);
    if (octet === null) return null;
    octets.push(octet.value);
    at = octet.end;
    if (octets.length < 4 && text.charCodeAt(at++) !== 0x2e) return null;
  }
  if (isWord(text.charCodeAt(at)) || isDottedOn(text, at) || isNetwork(text, at, 32) || !singlesOut(octets))
    return null;
  const context = contextOf(text, start, at, name, "ip_address");
  // Four small numbers are more often a version or a section than an address.
  const small = octets.every((octet) => octet < 20);
  if (context === "against" || (small && context !== "for")) return null;
  return { kind: "ip_address", format: "ipv4", start, end: at };
}

function octetAt(text: Text, start: number): { value: number; end: number } | null {
  let value = 0;
  let at = start;
  for (; at < start + 3 && isDigit(text.charCodeAt(at)); at++) value = value * 10 + text.charCodeAt(at) - 48;
  const leadingZero = text.charCodeAt(start) === 48 && at > start + 1;
  return at === start || value > 255 || leadingZero ? null : { value, end: at };
}

/** A full stop and a digit, or a hyphen and a letter or digit: 1.2.3.4.5, 10.2.3.4-beta. */
function isDottedOn(text: Text, end: number): boolean {
  const after = text.charCodeAt(end);
  const further = text.charCodeAt(end + 1);
  return (after === 0x2e && isDigit(further)) || (after === 0x2d && isWord(further));
}

/** Whether a prefix length follows that is shorter than the whole address. */
function isNetwork(text: Text, end: number, whole: number): boolean {
  if (text.charCodeAt(end) !== 0x2f || !isDigit(text.charCodeAt(end + 1))) return false;
  let length = 0;
  for (let at = end + 1; at < end + 4 && isDigit(text.charCodeAt(at)); at++)
    length = length * 10 + text.charCodeAt(at) - 48;
  return length < whole;
}

function singlesOut([a = 0, b = 0]: readonly number[]): boolean {
  return a !== 0 && a !== 127 && a < 224 && !(a === 169 && b === 254);
}

/**
 * An IPv6 address whose first group stands at `start`, four hexadecimal digits that a colon follows: global (2000::/3), unique local (fc00::/7) or link-local
 * (fe80::/10), the only ones that hosts have. Everything else with colons is times, hardware addresses and code.
 */
export function ipv6At(text: Text, start: number): Found | null {
  if (!beginsLikeHost(text, start)) return null;
  let groups = 0;
  let gap = false;
  let at = start;
  while (at - start <= LONGEST_V6 && groups < 8) {
    const end = endOfGroup(text, at);
    if (end === at) break;
    groups++;
    at = end;
    if (text.charCodeAt(at) !== 0x3a) break;
    const doubled = text.charCodeAt(at + 1) === 0x3a;
    if (doubled && gap) break;
    if (!doubled && endOfGroup(text, at + 1) === at + 1) break;
    gap ||= doubled;
    at += groups < 8 || doubled ? (doubled ? 2 : 1) : 0;
  }
  const whole = gap ? groups < 8 : groups === 8;
  const after = text.charCodeAt(at);
  const colonOn = after === 0x3a && (isHexadecimal(text.charCodeAt(at + 1)) || text.charCodeAt(at + 1) === 0x3a);
  if (!whole || isWord(after) || colonOn || isNetwork(text, at, 128)) return null;
  return { kind: "ip_address", format: "ipv6", start, end: at };
}

function beginsLikeHost(text: Text, start: number): boolean {
  const first = Number.parseInt(text.slice(start, start + 4), 16);
  return (
    (first >= 0x2000 && first <= 0x3fff) || (first >= 0xfc00 && first <= 0xfdff) || (first >= 0xfe80 && first <= 0xfebf)
  );
}

const isHexadecimal = (code: number): boolean =>
  isDigit(code) || ((isLower(code) || isUpper(code)) && (code | 32) >= 97 && (code | 32) <= 102);

/** Where up to four hexadecimal digits end. */
function endOfGroup(text: Text, start: number): number {
  let at = start;
  while (at < start + 4 && isHexadecimal(text.charCodeAt(at))) at++;
  return at;
}
