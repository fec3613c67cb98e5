import { files, type Hostile } from "./file.ts";

const MB = 2 ** 20;
const times = (count: number, of: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => of(at)).join("");

export function hostileHtml(url: string): Hostile[] {
  const nested = (tag: string, depth: number) => `<html>${`<${tag}>`.repeat(depth)}text`;
  const page = (body: string) => `<!doctype html><body>${body}<p>An ordinary paragraph.`;
  return files("page.html", {
    ...Object.fromEntries(
      ["div", "b", "a", "p", "table", "ul", "svg", "font", "blockquote", "select", "button", "template"].map((tag) => [
        `100,000 ${tag} in one another`,
        nested(tag, 100_000),
      ]),
    ),
    "a million div in one another": nested("div", 1_000_000),
    "formatting that is closed in another order": page(
      "<b><i><u><a href=x>".repeat(5000) + "</b></i></u></a>".repeat(5000),
    ),
    "tables with text outside of cells": page("<table>x<tr>y".repeat(20_000)),
    "a cell over 65,534 rows and 1,000 columns": page(
      `<table>${"<tr><td rowspan=65534 colspan=1000>x<td>y".repeat(2000)}</table>`,
    ),
    "500,000 cells": page(`<table>${`<tr>${"<td>x".repeat(500)}`.repeat(1000)}</table>`),
    "a row of 300,000 cells among short ones": page(
      `<table><tr>${"<td>x".repeat(300_000)}${"<tr><td>a<td>b".repeat(50_000)}</table>`,
    ),
    "scripts, handlers and styles": page(
      `<script>while(1);</script><img src=x onerror=alert(1)><style>@import "${url}"</style>`,
    ),
    "addresses to be loaded": page(
      `<img src="${url}"><iframe src="${url}"></iframe><link rel=stylesheet href="${url}"><object data="${url}"></object><base href="${url}">`,
    ),
    "a page that goes elsewhere": `<html><meta http-equiv=refresh content="0;url=${url}"><p>An ordinary paragraph.`,
    "an SVG with a script": page(`<svg onload=alert(1)><script>alert(1)</script><text>x</text></svg>`),
    "a comment without end": page("<!-- "),
    "a script without end": page("<script>"),
    "a million attributes": page(`<p ${times(1_000_000, (at) => `a${at}=1 `)}>`),
    "an attribute of 30 MB": page(`<p title="${"x".repeat(30 * MB)}">`),
    "two million references": page("&amp;&#x41;".repeat(1_000_000)),
    "references of halves of characters": page("&#xD800;&#xDFFF;&#0;&#x110000;&#99999999999;"),
    "blanks between tags": page(`${" <b> </b> ".repeat(200_000)}`),
    "a menu in a menu": page(`${"<div class=nav><a href=x>x</a>".repeat(3000)}`),
    "a charset that nobody knows": '<html><meta charset="x-unknown"><p>text',
    "UTF-7": '<html><meta charset="utf-7"><p>+ADw-script+AD4-',
    "a name of a tag of 10 MB": page(`<${"x".repeat(10 * MB)}>`),
    frames: "<html><frameset><frame src=x></frameset>",
    "an external entity": `<?xml version="1.0"?><!DOCTYPE html [<!ENTITY e SYSTEM "file:///etc/passwd">]><html><p>&e; text</p></html>`,
    "60 MB of text": page("lorem ipsum ".repeat(5 * MB)),
  });
}

export const hostileMarkdown = (url: string): Hostile[] =>
  files("page.md", {
    "100,000 quotes in one another": `${">".repeat(100_000)} x`,
    "lists 5,000 deep": times(5000, (at) => `${" ".repeat(at * 2)}- x\n`),
    "100,000 opening brackets": "[".repeat(100_000),
    "100,000 images in one another": `${"![".repeat(50_000)}x${"](y)".repeat(50_000)}`,
    "100,000 stars": "*a **b ".repeat(50_000),
    "200,000 underscores": "_".repeat(200_000),
    "200,000 backticks": times(600, (at) => `${"`".repeat(at)} `),
    "code without end": `\`\`\`\n${"x\n".repeat(100_000)}`,
    "a table of 2,000 columns and 2,000 rows": `${"|a".repeat(2000)}|\n${"|-".repeat(2000)}|\n${`${"|x".repeat(2000)}|\n`.repeat(2000)}`,
    "tables without cells": "|\n|-\n".repeat(50_000),
    "a script": "# Title\n\n<script>alert(1)</script>\n\nText.",
    "a link that is a script": "[x](javascript:alert(1)) <a href='javascript:alert(1)'>y</a>",
    "an image at an address": `![x](${url})`,
    "50,000 references to each other": times(50_000, (at) => `[a${at}]: <b${at}>\n[a${at}]\n`),
    "HTML without end": `${"<div>\n\n".repeat(20_000)}text`,
    "blanks without end": `a${" ".repeat(500_000)}b`,
    pipes: "|".repeat(300_000),
    "front matter without end": `---\n${"title: x\n".repeat(100_000)}`,
    "front matter of entities": `---\n${times(30, (at) => `a${at}: &a${at} [*a${at - 1}, *a${at - 1}]\n`)}---\nText.`,
    entities: "&".repeat(300_000),
    "angle brackets": "<".repeat(300_000),
    headings: "# ".repeat(200_000),
  });

export const hostileMdx = (url: string): Hostile[] =>
  files("page.mdx", {
    "300,000 opening braces": "{".repeat(300_000),
    "300,000 opening tags": "<A ".repeat(300_000),
    "tags of components in one another": `${"<A>\n".repeat(50_000)}text`,
    "attributes without end": `<A ${"b={".repeat(100_000)}`,
    "quotation marks without end": times(50_000, () => "<A b='"),
    "strings without end in braces": times(50_000, () => "{'"),
    "comments without end": "{/*".repeat(100_000),
    "backticks and braces": times(600, (at) => `${"`".repeat(at)}{ `),
    "100,000 imports": "import a from 'b'\n".repeat(100_000),
    "an export without end": `export const a = {\n\n${"x: 1,\n\n".repeat(50_000)}`,
    "50,000 exports without end": "export const a = {\n\n".repeat(50_000),
    "blocks of code in components": times(5000, () => "<A>\n    ```\n    x\n"),
    "scripts and addresses": `import x from "${url}"\n\n<script>alert(1)</script>\n\n<img src={"${url}"} />\n\n{fetch("${url}")}\n\nText.`,
    "blanks in a tag": `<A${" ".repeat(300_000)}`,
  });

export const hostileRows = (): Hostile[] => [
  ...files("rows.csv", {
    "a quotation mark that is not closed": `id,text\n1,"${"x,y\n".repeat(500_000)}`,
    "a short one that is not closed": 'id,text\n1,"open\n',
    "quotation marks within cells": 'id,text\n1,a"b"c\n2,"d"e\n',
    "a line of 20 MB": `id,text\n1,${"x".repeat(20 * MB)}\n`,
    "a million columns": `${times(1_000_000, (at) => `c${at},`)}\n1\n`,
    "a row of 400,000 cells": `id\n${"x,".repeat(400_000)}\n`,
    "NUL characters": "id,text\n1,a\0b\n",
    "nothing but delimiters": `${",".repeat(1000)}\n`.repeat(2000),
    "nothing but quotation marks": '"'.repeat(1_000_001),
    "names of prototypes": "id,__proto__,constructor,toString\n1,2,3,4\n",
    "the same name 5,000 times": `${"a,".repeat(5000)}\n1\n`,
    formulas: "id,text\n1,\"=cmd|'/C calc'!A0\"\n",
    "a header alone": "id,text\n",
    "empty lines": "\n".repeat(1_000_000),
    "carriage returns alone": "id,text\r1,a\r2,b\r",
    "broken UTF-8": Buffer.from([0x69, 0x64, 0x0a, 0xc0, 0x80, 0x0a]),
    "a mark, and UTF-16 of odd length": Buffer.from([0xff, 0xfe, 0x61]),
    "half a million rows": `id,name\n${times(500_000, (at) => `${at},n\n`)}`,
    "quotation marks of other kinds": "id;text\n1;“a;b”\n",
    "a mark in its middle": "id,text\n\ufeff1,\ufeffa\n",
  }),
  ...files("rows.jsonl", {
    "a broken line": '{"id":1}\n{"id":2\n{"id":3}\n',
    "a line that is no object": '{"id":1}\n[1,2]\n"x"\n',
    "nesting of 200,000": `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}\n`,
    "objects of 100,000 in one another": `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}\n`,
    "a line of 20 MB": `{"a":"${"x".repeat(20 * MB)}"}\n`,
    "names of prototypes": '{"__proto__":{"x":1}}\n{"constructor":{"prototype":{"x":1}}}\n',
    "a name twice": '{"id":1,"id":2}\n',
    "numbers beyond a double": '{"id":1e999}\n{"id":123456789012345678901234567890}\n',
    "halves of characters": '{"id":"\\ud800"}\n',
    "NUL in a text": '{"id":"\\u0000"}\n',
    "NUL between lines": '{"id":1}\n\0\n{"id":2}\n',
    "100,000 members": `{${times(100_000, (at) => `"m${at}":1,`)}"id":1}\n`,
    "empty lines": "\n".repeat(500_000),
    "a mark": '\ufeff{"id":1}\n',
    NaN: '{"id":NaN}\n',
    comments: '// rows\n{"id":1}\n',
    "one array": '[\n{"id":1},\n{"id":2}\n]\n',
    "200,000 rows": times(200_000, (at) => `{"id":${at}}\n`),
  }),
];

export const hostileEncodings = (): Hostile[] => [
  ...files("text.txt", {
    "no bytes": Buffer.alloc(0),
    "one NUL": Buffer.alloc(1),
    "a megabyte of NUL": Buffer.alloc(MB),
    "a mark alone": Buffer.from([0xef, 0xbb, 0xbf]),
    "overlong UTF-8": Buffer.from([0xc0, 0xaf, 0xe0, 0x80, 0xaf]),
    "halves of characters in UTF-8": Buffer.from([0xed, 0xa0, 0x80]),
    "UTF-8 that is cut off": Buffer.from("é").subarray(0, 1),
    "UTF-16 of a half of a character": Buffer.from([0xff, 0xfe, 0x00, 0xd8]),
    "UTF-16 big-endian of odd length": Buffer.from([0xfe, 0xff, 0x00]),
    "UTF-16 without a mark": Buffer.from("text", "utf16le"),
    "UTF-32": Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]),
    "windows-1252 that does not say so": Buffer.from([0x93, 0x61, 0x94]),
    "control characters": Buffer.from(Array.from({ length: 31 }, (_, at) => at + 1)),
    "60 MB of text": Buffer.alloc(60 * MB, "lorem ipsum "),
    "a word of 10 MB": Buffer.alloc(10 * MB, "x"),
    "10 MB of blanks": Buffer.alloc(10 * MB, " "),
    "10 MB of combining marks": `a${"\u0301".repeat(5 * MB)}`,
    "comments that look like the start of a page": `${"<!---->".repeat(400)}<p`,
    "a declaration that looks like the start of a page": `<?xml ${" ".repeat(4000)}`,
    "marks of direction": "\u202e\u2066abc\u2069\u202c",
  }),
  {
    about: "a charset that nobody knows",
    bytes: Buffer.from("x"),
    fileName: "a.txt",
    mediaType: "text/plain; charset=x-user-defined-9",
    ends: "bad_encoding",
  },
  {
    about: "a media type of 100,000 characters",
    bytes: Buffer.from("x"),
    fileName: "a.txt",
    mediaType: `text/${"x".repeat(100_000)}`,
  },
  { about: "a name of 100,000 characters", bytes: Buffer.from("x"), fileName: `${"../".repeat(30_000)}a.txt` },
  { about: "a name with NUL and line feeds", bytes: Buffer.from("x"), fileName: "a\0\n.html" },
];

export function wrongNames(pdf: Uint8Array, docx: Uint8Array): Hostile[] {
  const names = ["file.txt", "file.html", "file.csv", "file.jsonl", "file.md"];
  const named = (about: string, bytes: Uint8Array, all: string[], ends: string): Hostile[] =>
    all.map((fileName) => ({ about: `${about} as ${fileName}`, bytes, fileName, ends }));
  const start = (text: string) => Buffer.from(text.padEnd(64, "\0"), "latin1");
  return [
    ...named("a PDF", pdf, [...names, "file.docx"], "read"),
    ...named("a DOCX", docx, [...names, "file.pdf"], "read"),
    ...named("a PNG", start("\x89PNG\r\n\x1a\n"), ["file.pdf", "file.docx", "file.txt"], "unsupported_type"),
    ...named("a program", start("\x7fELF\x02"), ["file.pdf", "file.csv"], "unsupported_type"),
    ...named("a program for Windows", start("MZ\x90\0"), ["file.docx"], "unsupported_type"),
    ...named(
      "a file of an old Office release",
      start("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
      ["file.docx"],
      "unsupported_type",
    ),
    ...named(
      "a DOCX with a password",
      Buffer.concat([start("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), Buffer.from("EncryptedPackage", "utf16le")]),
      ["file.docx"],
      "encrypted",
    ),
    ...named("gzip", start("\x1f\x8b\x08"), ["file.csv"], "unsupported_type"),
    ...named(
      "an SVG with a script",
      Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
      ["file.svg", "file.pdf"],
      "unsupported_type",
    ),
    ...named(
      "XML of a billion laughs",
      Buffer.from("<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'ha'>]><x>&a;</x>"),
      ["file.xml"],
      "unsupported_type",
    ),
    ...named("RTF", Buffer.from("{\\rtf1 {\\object}}"), ["file.doc"], "unsupported_type"),
    ...named("JSON nested 500,000 deep", Buffer.from("[".repeat(500_000)), ["file.json"], "unsupported_type"),
  ];
}
