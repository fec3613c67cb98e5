import { deflateSync } from "node:zlib";

export type Part = string | Buffer;
export const times = (count: number, of: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => of(at)).join("");

/** A PDF of objects, from 1, with its cross-reference table. The first is the catalog. */
export function pdf(objects: readonly Part[], { trailer = "", offset = 0 } = {}): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let length = 9;
  for (const [at, object] of objects.entries()) {
    offsets.push(length + offset);
    const part = Buffer.concat([
      Buffer.from(`${at + 1} 0 obj\n`),
      Buffer.from(object as string),
      Buffer.from("\nendobj\n"),
    ]);
    parts.push(part);
    length += part.length;
  }
  const rows = offsets.map((one) => `${String(Math.max(0, one)).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${length + offset}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

export const stream = (data: Part, dictionary = ""): Buffer => {
  const bytes = Buffer.from(data as string);
  return Buffer.concat([
    Buffer.from(`<</Length ${bytes.length}${dictionary}>>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ]);
};
export const packed = (data: Part, dictionary = ""): Buffer =>
  stream(deflateSync(Buffer.from(data as string), { level: 1 }), `/Filter/FlateDecode${dictionary}`);

export const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";
export const shown = "BT /F1 12 Tf 72 720 Td (Hello from a page) Tj ET";

/** One page with its contents (object 4), its font (object 5), and further objects from 6. */
export function page(
  contents: Part,
  { resources = "", fontObject = font as Part, more = [] as Part[], catalog = "", own = "", trailer = "" } = {},
): Buffer {
  return pdf(
    [
      `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>${resources}>>${own}>>`,
      typeof contents === "string" ? stream(contents) : contents,
      fontObject,
      ...more,
    ],
    { trailer },
  );
}

export function manyPages(count: number): Buffer {
  const kids = times(count, (at) => `${at + 5} 0 R `);
  const pages = Array.from(
    { length: count },
    () => "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 3 0 R/Resources<</Font<</F1 4 0 R>>>>>>",
  );
  return pdf([
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Kids[${kids}]/Count ${count}>>`,
    stream(shown),
    font,
    ...pages,
  ]);
}
