import { BlockList } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPublic, parseAddress, parseRange, REFUSED_V4, REFUSED_V6 } from "./addresses.ts";
import { plainHost } from "./guard.ts";

const reaches = (text: string): boolean => {
  const address = parseAddress(text);
  return address !== null && isPublic(address);
};

describe("which addresses are public", () => {
  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "198.20.0.0",
    "223.255.255.255",
  ])("takes %s", (text) => expect(reaches(text)).toBe(true));

  it.each([
    "2606:4700:4700::1111",
    "2a00:1450:4001:80e::200e",
    "2001:4860:4860::8888",
    "2003::1",
    "64:ff9b::808:808",
    "64:ff9b::8.8.8.8",
  ])("takes %s", (text) => expect(reaches(text)).toBe(true));

  it.each([
    ...[
      "0.0.0.0",
      "0.1.2.3",
      "10.0.0.1",
      "100.64.0.1",
      "100.100.100.200",
      "127.0.0.1",
      "127.255.255.254",
      "169.254.169.254",
      "172.16.0.1",
    ],
    ...[
      "172.31.255.255",
      "192.0.0.192",
      "192.0.2.1",
      "192.88.99.1",
      "192.168.1.1",
      "198.19.255.255",
      "198.51.100.1",
      "203.0.113.1",
    ],
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
  ])("refuses %s", (text) => expect(reaches(text)).toBe(false));

  it.each([
    ...[
      "::",
      "::1",
      "::7f00:1",
      "::127.0.0.1",
      "::ffff:127.0.0.1",
      "::ffff:7f00:1",
      "::ffff:8.8.8.8",
      "64:ff9b::7f00:1",
      "64:ff9b::10.0.0.1",
    ],
    ...[
      "64:ff9b::169.254.169.254",
      "64:ff9b:1::808:808",
      "100::1",
      "2001::1",
      "2001:0:4136:e378:8000:63bf:3fff:fdd2",
      "2001:db8::1",
    ],
    ...[
      "2002:7f00:1::",
      "2002:a00:1::1",
      "2002:808:808::1",
      "3fff::1",
      "5f00::1",
      "fc00::1",
      "fd00:ec2::254",
      "fe80::1",
      "fec0::1",
      "ff02::1",
    ],
  ])("refuses %s", (text) => expect(reaches(text)).toBe(false));
});

describe("reading addresses", () => {
  it.each([
    ...[
      "127.1",
      "2130706433",
      "0x7f000001",
      "0177.0.0.1",
      "127.0.0.01",
      "127.0.0.256",
      " 127.0.0.1",
      "127.0.0.1.",
      "1.2.3",
      "1.2.3.4.5",
      "",
    ],
    ...[
      "fe80::1%eth0",
      "[::1]",
      ":::",
      "1::2::3",
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7:8:9",
      "::1.2.3",
      "1.2.3.4::",
      "::1.2.3.4:5",
      "12345::",
    ],
  ])("takes %j for none", (text) => expect(parseAddress(text)).toBeNull());

  it.each(["10.0.0.0/33", "10.0.0.1/8", "::/129", "10.0.0.0/", "/8", "example.com", "10.0.0.0/8/8"])(
    "takes %j for no range",
    (text) => expect(parseRange(text)).toBeNull(),
  );
});

const refusedV4 = new BlockList();
for (const range of REFUSED_V4) refusedV4.addSubnet(range.split("/")[0]!, Number(range.split("/")[1]), "ipv4");
const refusedV6 = new BlockList();
for (const range of REFUSED_V6) refusedV6.addSubnet(range.split("/")[0]!, Number(range.split("/")[1]), "ipv6");
const globalV6 = new BlockList();
globalV6.addSubnet("2000::", 3, "ipv6");
const nat64 = new BlockList();
nat64.addSubnet("64:ff9b::", 96, "ipv6");

const octet = fc.oneof(
  fc.constantFrom(0, 10, 100, 127, 168, 169, 172, 192, 198, 203, 254, 255),
  fc.integer({ min: 0, max: 255 }),
);
const octets = fc.tuple(octet, octet, octet, octet);
/** One number in the bases in which a host may hold it. */
const inBase = (value: number, base: string): string =>
  ({ hex: `0x${value.toString(16)}`, octal: `0${value.toString(8)}` })[base] ?? `${value}`;
const base = fc.constantFrom("decimal", "hex", "octal");

/** An IPv4 address the way people hide it: the last number standing for one to four bytes, each number in a base of its own. */
const disguised = fc
  .tuple(octets, fc.integer({ min: 1, max: 4 }), fc.tuple(base, base, base, base))
  .map(([parts, count, bases]) => {
    const head = parts.slice(0, count - 1);
    const last = parts.slice(count - 1).reduce((sum, part) => sum * 256 + part, 0);
    return {
      plain: parts.join("."),
      written: [...head, last].map((value, index) => inBase(value, bases[index]!)).join("."),
    };
  });

it("judges every form of an IPv4 address in a URL like its plain form", () => {
  fc.assert(
    fc.property(disguised, ({ plain, written }) => {
      const host = plainHost(new URL(`https://${written}/`).hostname);
      expect(host).toBe(plain);
      expect(reaches(host)).toBe(!refusedV4.check(plain, "ipv4"));
    }),
  );
});

const group = fc.oneof(
  fc.constantFrom(0, 0x2001, 0x2002, 0x64, 0xff9b, 0xfe80, 0xfc00, 0xffff, 0xdb8, 0x3fff),
  fc.integer({ min: 0, max: 0xffff }),
);

it("judges every IPv6 address as an independent list of the same ranges does", () => {
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const full = groups.map((value) => value.toString(16)).join(":");
      const short = plainHost(new URL(`https://[${full}]/`).hostname);
      const v4 = [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join(".");
      const expected = nat64.check(full, "ipv6")
        ? !refusedV4.check(v4, "ipv4")
        : globalV6.check(full, "ipv6") && !refusedV6.check(full, "ipv6");
      expect(reaches(full)).toBe(expected);
      expect(reaches(short)).toBe(expected);
      expect(reaches(full.toUpperCase())).toBe(expected);
      expect(
        reaches(
          `${groups
            .slice(0, 6)
            .map((value) => value.toString(16))
            .join(":")}:${v4}`,
        ),
      ).toBe(expected);
    }),
  );
});

it("reaches no IPv4 address by NAT64, mapping or 6to4 that it does not reach directly", () => {
  fc.assert(
    fc.property(octets, (parts) => {
      const plain = parts.join(".");
      const hex = `${((parts[0] << 8) | parts[1]).toString(16)}:${((parts[2] << 8) | parts[3]).toString(16)}`;
      expect(reaches(`64:ff9b::${plain}`)).toBe(reaches(plain));
      for (const text of [`::ffff:${plain}`, `::${plain}`, `2002:${hex}::1`, `64:ff9b:1::${hex}`, `2001:0:${hex}::1`])
        expect(reaches(text)).toBe(false);
    }),
  );
});
