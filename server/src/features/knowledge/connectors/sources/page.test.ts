import fc from "fast-check";
import { expect, it } from "vitest";
import { readBody, readPage } from "./page.ts";

const at = "https://example.com/docs/";

it("resolves links against the base, without fragments, each once, and leaves out what is no page", () => {
  const html = `<base href="/base/"><a href="a#x"></a><a href="a#y"></a><a href="mailto:a@b"></a><a href="https://u:p@example.com/"></a>
    <a rel="nofollow" href="b"></a><a href="//other.example/c"></a><svg><title>Icon</title></svg>`;
  expect(readPage(html, at).links).toEqual(["https://example.com/base/a", "https://other.example/c"]);
});

it("reads what a page says to robots, in markup and header", () => {
  const says = (html: string, header?: string) => {
    const { noindex, links } = readPage(`${html}<a href="a">a</a>`, at, header);
    return [noindex, links.length === 0];
  };
  expect(says('<meta name="ROBOTS" content="NoIndex, NoFollow">')).toEqual([true, true]);
  expect(says('<meta name="robots" content="none">')).toEqual([true, true]);
  expect(says('<meta name="aos-knowledge" content="noindex">')).toEqual([true, false]);
  expect(says('<meta name="otherbot" content="noindex">')).toEqual([false, false]);
  expect(says("", "noindex")).toEqual([true, false]);
});

it("reads any bytes without failing, and answers only addresses of pages", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (html, href) => {
      const { links, canonical } = readPage(`${html}<a href="${href}">`, at);
      for (const link of [...links, canonical ?? at]) expect(link).toMatch(/^https?:\/\/[^#]*$/);
    }),
  );
});

it("turns text of another encoding into UTF-8", () => {
  const body = Buffer.from([0x5a, 0xfc, 0x72, 0x69]);
  const read = readBody({ status: 200, headers: { "content-type": 'text/html; charset="ISO-8859-1"' }, body });
  expect([read.type, Buffer.from(read.bytes).toString()]).toEqual(["text/html", "Züri"]);
});
