/**
 * Which IP addresses are public. After the IANA registries of special-purpose addresses for IPv4 and IPv6 (RFC 6890 and successors): what is not globally
 * reachable is refused. Narrow anycast assignments inside refused blocks (such as 192.0.0.9) are refused with them: nobody offers an interface there.
 */

/** An address as its bits: 32 of IPv4, 128 of IPv6. */
export interface Address {
  readonly family: 4 | 6;
  readonly bits: bigint;
}

/** A range of addresses: the first `prefix` bits are those of `bits`. */
export interface AddressRange extends Address {
  readonly prefix: number;
}

const V4_TEXT = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/**
 * Reads an address in its plain form: four decimal numbers without leading zeros, or the groups of RFC 4291. Null for everything else: other bases, short
 * forms, zone ids, brackets. Whoever makes the connection gets plain forms only, so that no second reader can understand them otherwise.
 */
export function parseAddress(text: string): Address | null {
  return text.includes(":") ? parseV6(text) : parseV4(text);
}

function parseV4(text: string): Address | null {
  const parts = V4_TEXT.exec(text)?.slice(1);
  if (!parts?.every((part) => Number(part) <= 255 && (part === "0" || !part.startsWith("0")))) return null;
  return { family: 4, bits: parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n) };
}

function parseV6(text: string): Address | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const groups = halves.map((half) => (half === "" ? [] : half.split(":").flatMap(groupsOf)));
  const all = groups.flat();
  if (all.includes(null) || (halves.length === 2 ? all.length > 7 : all.length !== 8)) return null;
  // An embedded IPv4 address stands at the very end.
  const tail = text.slice(text.lastIndexOf(":") + 1);
  if (text.includes(".") && (!tail.includes(".") || text.indexOf(".") < text.length - tail.length)) return null;
  const [head, rest] = groups as [bigint[], bigint[] | undefined];
  const filled = rest === undefined ? head : [...head, ...Array<bigint>(8 - all.length).fill(0n), ...rest];
  return { family: 6, bits: filled.reduce((bits, group) => (bits << 16n) | group, 0n) };
}

/** One group, or the two of an IPv4 address in its place; null: neither. */
function groupsOf(text: string): (bigint | null)[] {
  if (/^[0-9a-f]{1,4}$/i.test(text)) return [BigInt(`0x${text}`)];
  const embedded = parseV4(text);
  return embedded === null ? [null] : [embedded.bits >> 16n, embedded.bits & 0xffffn];
}

/** Reads `10.0.0.0/8`, or a single address as the range of itself alone. Null where it is neither, or has bits behind its prefix. */
export function parseRange(text: string): AddressRange | null {
  const [, base = "", length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(base);
  if (address === null) return null;
  const width = widthOf(address);
  const prefix = length === undefined ? width : Number(length);
  if (prefix > width || (address.bits & ((1n << BigInt(width - prefix)) - 1n)) !== 0n) return null;
  return { ...address, prefix };
}

const widthOf = ({ family }: Address): number => (family === 4 ? 32 : 128);

/** Whether an address lies in a range. */
export function isInRange(address: Address, range: AddressRange): boolean {
  if (address.family !== range.family) return false;
  const behind = BigInt(widthOf(range) - range.prefix);
  return address.bits >> behind === range.bits >> behind;
}

const rangesOf = (...texts: string[]): readonly AddressRange[] => texts.map((text) => parseRange(text)!);

const LOOPBACK = rangesOf("127.0.0.0/8", "::1");
/** Private networks, which an operator may open by naming an origin: RFC 1918, RFC 6598 (carriers), RFC 4193 (unique local). */
const PRIVATE = rangesOf("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7");

/** What of IPv4 is not public. */
export const REFUSED_V4 = [
  "0.0.0.0/8", // this network (RFC 791)
  "10.0.0.0/8", // private (RFC 1918)
  "100.64.0.0/10", // shared by carriers (RFC 6598)
  "127.0.0.0/8", // loopback (RFC 1122)
  "169.254.0.0/16", // link-local, where clouds keep credentials (RFC 3927)
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments (RFC 6890)
  "192.0.2.0/24", // documentation (RFC 5737)
  "192.88.99.0/24", // relays of 6to4, deprecated (RFC 7526)
  "192.168.0.0/16", // private
  "198.18.0.0/15", // benchmarks (RFC 2544)
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast (RFC 5771)
  "240.0.0.0/4", // reserved, and the broadcast address (RFC 1112)
  "168.63.129.16/32", // looks public, but is the host of a virtual machine in one large cloud
];

/** What of IPv6 is not public, inside 2000::/3, outside of which nothing is. */
export const REFUSED_V6 = [
  "2001::/23", // protocol assignments, Teredo among them (RFC 2928, RFC 4380)
  "2001:db8::/32", // documentation (RFC 3849)
  "2002::/16", // 6to4: carries an IPv4 address, and leads there (RFC 3056)
  "3fff::/20", // documentation (RFC 9637)
];
const GLOBAL_V6 = parseRange("2000::/3")!;
/** NAT64: leads to the IPv4 address in its last 32 bits (RFC 6052). Its local-use sibling 64:ff9b:1::/48 is not public. */
const NAT64 = parseRange("64:ff9b::/96")!;
const refusedV4 = rangesOf(...REFUSED_V4);
const refusedV6 = rangesOf(...REFUSED_V6);

/** Whether everybody may be sent to this address: it is globally reachable, and not a detour to one that is not. */
export function isPublic(address: Address): boolean {
  if (address.family === 4) return !refusedV4.some((range) => isInRange(address, range));
  if (isInRange(address, NAT64)) return isPublic({ family: 4, bits: address.bits & 0xffff_ffffn });
  return isInRange(address, GLOBAL_V6) && !refusedV6.some((range) => isInRange(address, range));
}

export const isLoopback = (address: Address): boolean => LOOPBACK.some((range) => isInRange(address, range));

/** Whether it lies in a private network or on this machine. */
export const isPrivate = (address: Address): boolean =>
  isLoopback(address) || PRIVATE.some((range) => isInRange(address, range));
