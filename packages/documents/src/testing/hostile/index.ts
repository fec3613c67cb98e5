import fc from "fast-check";
import { book, deck, prices } from "../office.ts";
import { contract, handbook } from "../written.ts";
import { hostileDocx } from "./docx.ts";
import type { Hostile } from "./file.ts";
import { hostileOffice } from "./office.ts";
import { hostilePdf } from "./pdf.ts";
import { hostileEncodings, hostileHtml, hostileMarkdown, hostileMdx, hostileRows, wrongNames } from "./texts.ts";

export type { Hostile } from "./file.ts";

/** All hostile files, some of which name an address that nobody should call. */
export async function hostileFiles(url: string, seed: number): Promise<Record<string, Hostile[]>> {
  const [pdf, docx] = [await handbook(), await contract()];
  return {
    "DOCX and ZIP": hostileDocx(docx, url),
    "XLSX, PPTX and EPUB": hostileOffice(url),
    PDF: hostilePdf(pdf, await handbook({ userPassword: "secret" }), url),
    HTML: hostileHtml(url),
    "Markdown and MDX": [...hostileMarkdown(url), ...hostileMdx(url)],
    "CSV and JSONL": hostileRows(),
    encodings: hostileEncodings(),
    "wrong names": wrongNames(pdf, docx),
    mutations: mutations(
      {
        "a.pdf": pdf,
        "a.docx": docx,
        "a.xlsx": prices(),
        "a.pptx": deck(),
        "a.epub": book(),
        "a.html": page,
        "a.md": guide,
        "a.mdx": mdx,
        "a.csv": rows,
        "a.jsonl": lines,
      },
      6,
      seed,
    ),
  };
}

const page = Buffer.from(
  "<!doctype html><title>T</title><main><h1>Prices</h1><table><tr><th>a<th>b<tr><td>1<td>2</table><pre>x</pre></main>",
);
const guide = Buffer.from(
  "# Guide\n\nText *with* [a link](x).\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n  - two\n\n```\ncode\n```\n",
);
const mdx = Buffer.from(
  'import A from "a"\n\n# Guide\n\n<A title="x" b={{ c: 1 }}>\n\n  Text {1 + 1}.\n\n</A>\n\n```\n{code}\n```\n',
);
const rows = Buffer.from('id,name\n1,"Amber, Looms"\n2,Blue\n3,"two\nlines"\n');
const lines = Buffer.from('{"id":1,"a":{"b":[1,2]}}\n{"id":2,"a":null}\n');

/** Valid files with bytes changed, removed, repeated or moved, the same ones for the same seed. */
function mutations(valid: Readonly<Record<string, Uint8Array>>, each: number, seed: number): Hostile[] {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const written = fc.string({ maxLength: 6 }).map((text) => Buffer.from(text));
  const change = fc.record({
    at: place,
    from: place,
    length: fc.integer({ min: 0, max: 40 }),
    bytes: fc.oneof(fc.uint8Array({ maxLength: 6 }), written),
    isMove: fc.boolean(),
  });
  const samples = fc.sample(fc.array(change, { minLength: 1, maxLength: 8 }), { seed, numRuns: each });
  return Object.entries(valid).flatMap(([fileName, bytes]) =>
    samples.map((changes, number) => {
      let mutated = Buffer.from(bytes);
      for (const { at, from, length, bytes: put, isMove } of changes) {
        const start = Math.floor(at * mutated.length);
        const moved = isMove ? mutated.subarray(Math.floor(from * mutated.length)).subarray(0, length) : put;
        mutated = Buffer.concat([mutated.subarray(0, start), moved, mutated.subarray(start + length)]);
      }
      return { about: `mutation ${number} of ${fileName}`, bytes: mutated, fileName };
    }),
  );
}
