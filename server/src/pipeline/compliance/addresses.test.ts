import { BlockList, isIPv4 } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { domain, inCidr, isCidr } from "./addresses.ts";

const word = fc.nat(0xffff).map((n) => n.toString(16));
const v4 = fc.ipV4();
const v6 = fc.oneof(
  fc.ipV6(),
  fc.array(word, { minLength: 8, maxLength: 8 }).map((words) => words.join(":")),
);

describe("inCidr", () => {
  test("agrees with the block list of Node on addresses of one version.", () => {
    const pairs = fc.oneof(fc.tuple(v4, v4, fc.nat(32)), fc.tuple(v6, v6, fc.nat(128)));
    fc.assert(
      fc.property(pairs, fc.boolean(), ([address, other, bits], same) => {
        const family = isIPv4(address) ? "ipv4" : "ipv6";
        const network = same ? address : other;
        const list = new BlockList();
        list.addSubnet(network, bits, family);
        expect(inCidr(address, `${network}/${bits}`)).toBe(list.check(address, family));
      }),
    );
  });

  test("reads a mapped address as the IPv4 address that it carries, in both places.", () => {
    expect(inCidr("::ffff:10.1.2.3", "10.0.0.0/8")).toBe(true);
    expect(inCidr("::ffff:0a01:0203", "10.0.0.0/8")).toBe(true);
    expect(inCidr("10.1.2.3", "::ffff:10.0.0.0/104")).toBe(true);
    expect(inCidr("::ffff:11.1.2.3", "10.0.0.0/8")).toBe(false);
  });

  test("finds no address of one version in a block of the other.", () => {
    expect(inCidr("10.0.0.1", "::/0")).toBe(false);
    expect(inCidr("2001:db8::1", "0.0.0.0/0")).toBe(false);
  });

  test("throws rather than calling an unreadable address outside.", () => {
    for (const text of ["", "10.0.0", "010.0.0.1", "fe80::1%eth0", "10.0.0.1/8", "localhost"]) {
      expect(() => inCidr(text, "10.0.0.0/8")).toThrow(RangeError);
    }
    expect(() => inCidr("10.0.0.1", "10.0.0.0")).toThrow(RangeError);
  });

  test("takes only blocks with an address and a fitting number of bits.", () => {
    expect(["10.0.0.0/8", "::/0", "2001:db8::/128", "::ffff:10.0.0.0/96"].every(isCidr)).toBe(true);
    expect(
      ["10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/", "/8", "a/8", "::ffff:10.0.0.0/95", "10.0.0.0/8/8"].some(
        isCidr,
      ),
    ).toBe(false);
  });
});

describe("domain", () => {
  test.each([
    ["ann@Example.COM", "example.com"],
    ["Ann <ann@example.com>", "example.com"],
    ["mailto:ann@example.com", "example.com"],
    ['"a@b"@example.com', "example.com"],
    ["https://good.example@evil.example/path?x=@good.example", "evil.example"],
    ["https:\\\\evil.example\\x", "evil.example"],
    ["//evil.example/x", "evil.example"],
    [" HTTP://Evil.Example:8080/ ", "evil.example"],
    ["example.com.", "example.com"],
    ["ann@bücher.example", "xn--bcher-kva.example"],
    ["https://bücher.example", "xn--bcher-kva.example"],
    ["http://[2001:db8::1]/", "[2001:db8::1]"],
  ])("of %s is %s.", (text, expected) => {
    expect(domain(text)).toBe(expected);
  });

  test("throws where there is none.", () => {
    for (const text of [
      "",
      "@",
      "ann@",
      "two words",
      "https://",
      "data:text/plain,x",
      "a/b",
      "evil.example/@good.example",
      "evil.example\\@good.example",
      `${"a".repeat(3000)}@b.c`,
    ]) {
      expect(() => domain(text), text).toThrow(RangeError);
    }
  });
});
