import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReplyFilter } from "./reply-filter.ts";

const hosts = new Set(["shop.example", "help.shop.example"]);

function filtered(pieces: readonly string[]): string {
  const filter = new ReplyFilter({ hosts });
  return pieces.map((piece) => filter.take(piece)).join("") + filter.end();
}
const whole = (text: string): string => filtered([text]);

describe("the filter of replies", () => {
  it.each([
    ["Returns are free within 30 days, e.g. by post. 3/4 of them and/or more!"],
    ["See https://help.shop.example/returns?x=1#y, or [the page](https://shop.example/a) (https://shop.example/b)."],
    ["Go to [orders](/orders/17) or [below](#more)."],
    ["At https://shop.example, https://shop.example. **https://shop.example** (https://shop.example:8080)"],
    ["In code: `a[i](x) != b[0]`, List<String>, 1 < 2 && 3 > 2."],
    ["退货在三十天内免费，请联系我们。"],
  ])("leaves as it is: %s", (text) => {
    expect(whole(text)).toBe(text);
  });

  it.each([
    ["See https://evil.example/?d=SECRET now", "See [link removed: evil.example] now"],
    ["[the page](https://evil.example/SECRET) is", "[the page] [link removed: evil.example] is"],
    ["[a](<https://evil.example/SECRET b SECRET>) is", "[a] [link removed: evil.example] is"],
    ["<https://evil.example/SECRET>.", "[link removed: evil.example] ."],
    ["https://SECRET.evil.example/", "[link removed: evil.example]"],
    ["https://shop.example@evil.example/SECRET", "[link removed: evil.example]"],
    ["https://shop.example.evil.example/SECRET", "[link removed: evil.example]"],
    ["https:\\\\evil.example\\SECRET", "[link removed]"],
    ["//evil.example/SECRET", "[link removed: evil.example]"],
    ["www.evil.example?SECRET", "[link removed: evil.example]"],
    ["evil.example/SECRET", "[link removed: evil.example]"],
    ["[a](javascript:alert(SECRET))", "[a] [link removed]"],
    ["mailto:x@evil.example?body=SECRET", "[link removed: evil.example]"],
    ["https://shop.example\\@evil.example/SECRET", "[link removed]"],
    ["https://shop.example*@evil.example/SECRET", "[link removed: evil.example]"],
    ["https://shop.example/?to=https://evil.example/SECRET", "https://shop.example/?to=[link removed: evil.example]"],
    ['https://shop.example"@SECRET.evil.example', "[link removed]"],
    ['https://shop.example"SECRET.evil.example', "[link removed]"],
    ["https://shop.example<@SECRET.evil.example", "[link removed]"],
    ["[1]: https\\:evil\\.example/SECRET", "[1]: [link removed]"],
    ["evil.xn--p1ai/SECRET", "[link removed: evil.xn--p1ai]"],
    ["请看https://evil.example/SECRET。谢谢", "请看[link removed: evil.example]。谢谢"],
  ])("removes the address of %s", (text, left) => {
    expect(whole(text)).toBe(left);
  });

  it.each(["。", "．", "｡", "－", "、", "＿"])("keeps a host from going on behind %s", (dot) => {
    expect(whole(`https://shop.example${dot}SECRET.evil.example`)).toBe(
      `https://shop.example ${dot}SECRET.evil.example`,
    );
    expect(whole(`https://shop.example/a${dot}Yes${dot}`)).toBe(`https://shop.example/a${dot}Yes${dot}`);
  });

  it.each([
    ["![x](https://shop.example/a.png)", "[x](https://shop.example/a.png)"],
    ["!![x](https://evil.example/SECRET)", "[x] [link removed: evil.example]"],
    ["![two words][ref]", "[two words][ref]"],
    ['<img src="https://shop.example/a.png">', '&lt;img src="https://shop.example/a.png">'],
    ["[a]( &#104;ttps&#58;&#47;&#47;evil&#46;example&#47;SECRET )", undefined],
  ])("lets nothing be loaded by %s", (text, left) => {
    const told = whole(text);
    if (left !== undefined) expect(told).toBe(left);
    expect(told).not.toMatch(/!\[|<img|&#/);
  });

  const words = fc.constantFrom(
    ...[
      "a",
      "!",
      "．",
      '"',
      "\\:",
      "[",
      "]",
      "(",
      ")",
      "](",
      "<",
      ">",
      " ",
      "\n",
      "。",
      "https:",
      "//",
      "/",
      "evil",
      ".example",
      "www.",
    ],
    "shop",
    "SECRET",
    "?q=",
    "&#47;",
    "img",
    "\\",
    "@",
    "data:",
    "x".repeat(2_000),
  );
  const texts = fc.array(words, { maxLength: 30 }).map((parts) => parts.join(""));

  it("says the same in whatever pieces a text comes", () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(80), { maxLength: 20 }), (text, cuts) => {
        const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((a, b) => a - b);
        const parts = [0, ...places].map((from, at) => text.slice(from, places[at] ?? text.length));
        expect(filtered(parts)).toBe(whole(text));
      }),
    );
  });

  it("lets nothing of a removed address leave, and no image, whatever surrounds it", () => {
    const addresses = fc.constantFrom(
      "https://evil.example/SECRET",
      "HTTPS://evil.example?d=SECRET",
      "//evil.example/SECRET",
      "https://u:p@evil.example/SECRET",
      "https:/evil.example/SECRET",
      "ftp://evil.example/SECRET",
    );
    const around = fc.constantFrom("", " ", "(", "![a](", "[a](", "<", "\n", "x ", "。", "![", '<img src="');
    fc.assert(
      fc.property(around, addresses, around, texts, (before, address, after, more) => {
        const told = whole(`${before}${address}${after} ${more.replaceAll("SECRET", "")}`);
        expect(told).not.toContain("SECRET");
        expect(told).not.toMatch(/!\[/);
      }),
    );
  });

  it("lets the address of a document stand exactly as it is, and no other of its host", () => {
    const addresses = new Set(["https://docs.example/refunds?x=1"]);
    const shown = (text: string): string => {
      const filter = new ReplyFilter({ hosts, addresses });
      return filter.take(text) + filter.end();
    };
    for (const text of ["See https://docs.example/refunds?x=1.", "[Refunds](https://docs.example/refunds?x=1)"])
      expect(shown(text)).toBe(text);
    for (const more of ["SECRET", "&d=SECRET", "/SECRET", ".SECRET"])
      expect(shown(`https://docs.example/refunds?x=1${more}`)).not.toContain("SECRET");
  });
});
