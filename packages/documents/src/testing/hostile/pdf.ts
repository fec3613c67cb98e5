import { deflateSync } from "node:zlib";
import { cutOff, files, type Hostile } from "./file.ts";
import { manyPages, type Part, packed, page, pdf, shown, stream, times } from "./pdf-writer.ts";

const MB = 2 ** 20;

export function hostilePdf(valid: Uint8Array, encrypted: Uint8Array, url: string): Hostile[] {
  return [
    ...cutOff("valid.pdf", valid, 24),
    ...files("trees.pdf", trees()),
    ...files("many.pdf", { "10,000 pages": manyPages(10_000) }, "too_many_pages"),
    ...files("locked.pdf", { "a password": encrypted }, "encrypted"),
    ...files("streams.pdf", streams()),
    ...files("fonts.pdf", fonts()),
    ...files("files.pdf", fontFiles()),
    ...files("contents.pdf", contents()),
    ...files("actions.pdf", actions(url), "read"),
    ...files("broken.pdf", broken(valid)),
  ];
}

function trees(): Record<string, Buffer> {
  const tree = (pages: string, ...more: string[]) => pdf(["<</Type/Catalog/Pages 2 0 R>>", pages, ...more]);
  const chain = (depth: number) =>
    tree(
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      ...Array.from({ length: depth }, (_, at) => `<</Type/Pages/Parent ${at + 2} 0 R/Kids[${at + 4} 0 R]/Count 1>>`),
      "<</Type/Page/MediaBox[0 0 9 9]>>",
    );
  const leaf = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>";
  return {
    "pages that are their own child": tree("<</Type/Pages/Kids[2 0 R]/Count 1>>"),
    "pages that are each other's children": tree(
      "<</Type/Pages/Kids[3 0 R]/Count 2>>",
      "<</Type/Pages/Kids[2 0 R]/Count 2>>",
    ),
    "a parent that is its child": tree("<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Page/Parent 3 0 R>>"),
    "a page a thousand times": tree(`<</Type/Pages/Kids[${"3 0 R ".repeat(1000)}]/Count 1000>>`, leaf),
    "a tree 5,000 deep": chain(5000),
    "a billion pages, it says": tree("<</Type/Pages/Kids[3 0 R]/Count 1000000000>>", leaf),
    "4,999 pages, it says": tree("<</Type/Pages/Kids[3 0 R]/Count 4999>>", leaf),
    "minus one page": tree("<</Type/Pages/Kids[3 0 R]/Count -1>>", leaf),
    "no page": tree("<</Type/Pages/Kids[]/Count 0>>"),
    "half a page": tree("<</Type/Pages/Kids[3 0 R]/Count 0.5>>", leaf),
    "children that are a number": tree("<</Type/Pages/Kids 7/Count 1>>"),
    "children that are missing": tree("<</Type/Pages/Kids[90 0 R]/Count 1>>"),
    "a catalog that is its pages": pdf(["<</Type/Catalog/Pages 1 0 R/Kids[1 0 R]/Count 1>>"]),
    "no catalog": pdf(["null"]),
    "resources of themselves": tree(
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/Resources 4 0 R/Contents 5 0 R>>",
      "<</Font 4 0 R/XObject 4 0 R>>",
      "<</Length 0>>stream\n\nendstream",
    ),
    "outlines that are each other's next": page(shown, {
      catalog: "/Outlines 6 0 R",
      more: ["<</First 7 0 R/Last 7 0 R>>", "<</Title(a)/Next 8 0 R>>", "<</Title(b)/Next 7 0 R>>"],
    }),
    "names that contain themselves": page(shown, {
      catalog: "/Names<</Dests 6 0 R/JavaScript 6 0 R>>",
      more: ["<</Kids[6 0 R]>>"],
    }),
    "a structure that contains itself": page(shown, {
      catalog: "/MarkInfo<</Marked true>>/StructTreeRoot 6 0 R",
      more: ["<</K 6 0 R/ParentTree 6 0 R/Kids[6 0 R]>>"],
    }),
  };
}

const reference = (dictionary: string) => {
  const start = page(shown);
  const at = start.length;
  return Buffer.concat([
    start,
    Buffer.from(`9 0 obj\n`),
    stream(Buffer.alloc(64), `/Type/XRef/Root 1 0 R/Size 10${dictionary}`),
    Buffer.from(`\nendobj\nstartxref\n${at}\n%%EOF`),
  ]);
};

const image = (width: number) =>
  page(`${shown} q 1 0 0 1 0 0 cm /X Do Q`, {
    resources: "/XObject<</X 6 0 R>>",
    more: [
      stream("x", `/Type/XObject/Subtype/Image/Width ${width}/Height ${width}/BitsPerComponent 8/ColorSpace/DeviceRGB`),
    ],
  });

function streams(): Record<string, Buffer> {
  const blank = Buffer.alloc(300 * MB, " ");
  const bomb = deflateSync(blank, { level: 1 });
  const filters = (count: number) => `/Filter[${"/FlateDecode".repeat(count)}]`;
  const objects = (dictionary: string) =>
    page(shown, { more: [stream("7 0 ".repeat(3), `/Type/ObjStm/N 3/First 12${dictionary}`)] });
  return {
    "300 MB of blanks": page(stream(bomb, "/Filter/FlateDecode")),
    "300 MB, packed twice": page(stream(deflateSync(bomb), filters(2))),
    "ten streams of 300 MB": page(stream(bomb, "/Filter/FlateDecode"), { own: `/Contents[${"4 0 R ".repeat(10)}]` }),
    "a thousand filters": page(stream(bomb.subarray(0, 1000), filters(1000))),
    "an LZW bomb": page(stream(Buffer.alloc(MB, 0x80), "/Filter/LZWDecode")),
    "a run-length bomb": page(stream(Buffer.alloc(8 * MB, "\x81 "), "/Filter/RunLengthDecode")),
    "predictors of a billion columns": page(
      packed("x".repeat(1000), "/DecodeParms<</Predictor 15/Columns 1000000000>>"),
    ),
    "a length of minus one": page(Buffer.from(`<</Length -1>>stream\n${shown}\nendstream`)),
    "a length of 4 GB": page(Buffer.from(`<</Length 4294967295>>stream\n${shown}\nendstream`)),
    "a length that is the stream": page(Buffer.from(`<</Length 4 0 R>>stream\n${shown}\nendstream`)),
    "a stream without end": page(Buffer.from(`<</Length 10>>stream\n${shown}`)),
    "objects that extend themselves": objects("/Extends 6 0 R"),
    "objects before their first": objects("/First -5"),
    "a billion objects": objects("/N 1000000000"),
    "references that come before themselves": reference("/W[1 2 1]/Prev 0"),
    "references of width zero": reference("/W[0 0 0]/Index[0 1000000000]"),
    "references of width a billion": reference("/W[1000000000 1000000000 1]"),
    "an image of 100,000 by 100,000": image(100_000),
    "an image of a billion by a billion": image(1_000_000_000),
    "an inline image without end": page(`${shown} BI /W 100000 /H 100000 /BPC 8 /CS /RGB ID xxxx`),
    "broken JPEG": page(stream("\xff\xd8\xff", "/Filter/DCTDecode")),
    "broken JPEG 2000": page(stream("\0\0\0\x0cjP", "/Filter/JPXDecode")),
    "broken JBIG2": page(stream("x".repeat(100), "/Filter/JBIG2Decode")),
    "a filter that nobody knows": page(stream(shown, "/Filter/Unknown")),
    "a crypt filter": page(stream(shown, "/Filter/Crypt")),
  };
}

const withFont = (fontObject: Part, ...more: Part[]) => page(shown, { fontObject, more });
const unicode = (text: string) =>
  withFont(`<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>`, packed(text));
const range = (count: number) => `begincmap ${"1 beginbfrange <0000> <ffff> <0041> endbfrange ".repeat(count)} endcmap`;
const composite = (descendant: string, ...more: Part[]) =>
  withFont(
    "<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 7 0 R>>",
    descendant,
    packed(range(1)),
    ...more,
  );
const embedded = (file: Part) =>
  withFont(
    "<</Type/Font/Subtype/TrueType/BaseFont/X/FontDescriptor 6 0 R>>",
    "<</Type/FontDescriptor/FontName/X/Flags 4/FontFile2 7 0 R/FontFile3 7 0 R>>",
    file,
  );
const drawn = (procedure: string) =>
  withFont(
    `<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/CharProcs<</H 6 0 R>>/Encoding<</Differences[72/H]>>/FirstChar 72/LastChar 72/Widths[9]/Resources<</Font<</F1 5 0 R>>>>>>`,
    stream(procedure),
  );

function fonts(): Record<string, Buffer> {
  return {
    "a million widths": withFont(
      `<</Type/Font/Subtype/Type1/BaseFont/X/FirstChar 0/LastChar 1000000/Widths[${"9 ".repeat(1_000_000)}]>>`,
    ),
    "a last character of a billion": withFont(
      "<</Type/Font/Subtype/Type1/BaseFont/X/FirstChar 0/LastChar 1000000000/Widths[9]>>",
    ),
    "a map of 65,536 characters, 300 times": unicode(range(300)),
    "a map of a range without end": unicode("begincmap 1 beginbfrange <00000000> <ffffffff> <0041> endbfrange endcmap"),
    "a map of a million characters": unicode(
      `begincmap 1000000 beginbfchar ${"<0041> <0042> ".repeat(1_000_000)} endbfchar endcmap`,
    ),
    "a character that means a megabyte": unicode(
      `begincmap 1 beginbfchar <48> <${"0041".repeat(MB / 2)}> endbfchar endcmap`,
    ),
    "a map that uses itself": withFont(
      "<</Type/Font/Subtype/Type0/BaseFont/X/Encoding 6 0 R/DescendantFonts[7 0 R]>>",
      stream("/X usecmap", "/Type/CMap/UseCMap 6 0 R"),
      "<</Type/Font/Subtype/CIDFontType2/BaseFont/X>>",
    ),
    "a font that descends from itself": withFont(
      "<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[5 0 R]>>",
    ),
    "widths of a billion characters": composite("<</Type/Font/Subtype/CIDFontType2/BaseFont/X/W[0 1000000000 500]>>"),
    "a million differences": withFont(
      `<</Type/Font/Subtype/Type1/BaseFont/X/Encoding<</Differences[0 ${"/a".repeat(1_000_000)}]>>>>`,
    ),
  };
}

function fontFiles(): Record<string, Buffer> {
  return {
    "a font file of noise": embedded(stream(Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256)))),
    "a font file of tables without end": embedded(
      stream(Buffer.concat([Buffer.from([0, 1, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0]), Buffer.alloc(1000, 0xff)])),
    ),
    "a font file of 300 MB": embedded(packed(Buffer.alloc(300 * MB))),
    "a font file that is no stream": embedded("<<>>"),
    "a font file of Type 1 that loops": withFont(
      "<</Type/Font/Subtype/Type1/BaseFont/X/FontDescriptor 6 0 R>>",
      "<</Type/FontDescriptor/FontName/X/Flags 4/FontFile 7 0 R>>",
      stream(
        `%!PS-AdobeFont\n/Subrs 100000000 array\n${"dup 0 9 RD ".repeat(10_000)}eexec `,
        "/Length1 20/Length2 100000000/Length3 0",
      ),
    ),
    "letters that are drawn with themselves": drawn("9 0 0 0 9 9 d1 BT /F1 1 Tf (H) Tj ET"),
    "letters of no size": withFont("<</Type/Font/Subtype/Type3/FontMatrix[0 0 0 0 0 0]/CharProcs<<>>/Encoding<<>>>>"),
    "no font": withFont("null"),
    "50,000 fonts": page(
      times(50_000, () => "/F1 1 Tf "),
      {},
    ),
  };
}

function contents(): Record<string, Buffer> {
  const forms = (inner: (at: number) => string, count: number) =>
    page(`${shown} /X0 Do`, {
      resources: `/XObject<<${times(count, (at) => `/X${at} ${at + 6} 0 R`)}>>`,
      more: Array.from({ length: count }, (_, at) =>
        stream(
          inner(at),
          `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F1 5 0 R>>/XObject<<${times(count, (one) => `/X${one} ${one + 6} 0 R`)}>>>>`,
        ),
      ),
    });
  const body = (text: Part) => page(packed(text));
  return {
    "a form in itself": forms(() => `${shown} /X0 Do`, 1),
    "forms in each other": forms((at) => `/X${(at + 1) % 3} Do`, 3),
    "a billion forms": forms((at) => (at < 8 ? `/X${at + 1} Do `.repeat(10) : shown), 9),
    "a million words": body(`BT /F1 9 Tf ${"(word ) Tj ".repeat(1_000_000)} ET`),
    "200,000 words at random places": body(
      `BT /F1 9 Tf ${times(200_000, (at) => `1 0 0 1 ${(at * 7919) % 600} ${(at * 104_729) % 780} Tm (w) Tj `)} ET`,
    ),
    "a million states": body("q ".repeat(1_000_000)),
    "a million ends of states": body("Q ".repeat(1_000_000)),
    "lists 200,000 deep": body("[".repeat(200_000)),
    "dictionaries 100,000 deep": body("<</a ".repeat(100_000)),
    "a text without end": body(`BT (${"(".repeat(500_000)}`),
    "a name of 5 MB": body(`/${"x".repeat(5 * MB)} gs`),
    "numbers of a thousand digits": body(`BT /F1 ${"9".repeat(1000)} Tf ${"9".repeat(1000)} 0 Td (x) Tj ET`),
    "places that are no numbers": body(
      "BT /F1 1e308 Tf 1e308 0 0 1e308 1e308 1e308 Tm (x) Tj 1e308 1e308 Td (y) Tj ET",
    ),
    "letters of size zero": body("BT /F1 0 Tf (zero) Tj ET"),
    "letters of negative size": body("BT /F1 -12 Tf 72 720 Td (negative) Tj ET"),
    "text that is turned": body(
      times(
        360,
        (at) =>
          `BT /F1 9 Tf ${Math.cos(at)} ${Math.sin(at)} ${-Math.sin(at)} ${Math.cos(at)} 300 300 Tm (turned) Tj ET `,
      ),
    ),
    "spaces of a million": body("BT /F1 9 Tf [(a) -100000000 (b)] TJ 1000000000 Tw 1000000000 Tc (a b) Tj ET"),
    "operators that nobody knows": body("foo bar baz ".repeat(200_000)),
    "marks that are not closed": body(`${"/Span<</ActualText(x)>> BDC ".repeat(50_000)}${shown}`),
    "contents that are the page": page(shown, { own: "/Contents 3 0 R" }),
    "contents a thousand times": page(packed(shown.repeat(1000)), { own: `/Contents[${"4 0 R ".repeat(1000)}]` }),
    "a page of no size": page(shown, { own: "/MediaBox[0 0 0 0]" }),
    "a page of size 1e308": page(shown, { own: "/MediaBox[-1e308 -1e308 1e308 1e308]/Rotate 12345" }),
  };
}

function actions(url: string): Record<string, Buffer> {
  const script = "app.alert(1); while(true){}";
  return {
    "a script that runs when opened": page(shown, { catalog: `/OpenAction<</S/JavaScript/JS(${script})>>` }),
    "a program that is started": page(shown, { catalog: "/OpenAction<</S/Launch/F(/bin/sh)>>" }),
    "an address that is opened": page(shown, { catalog: `/OpenAction<</S/URI/URI(${url})>>` }),
    "a form that is sent": page(shown, {
      catalog: `/OpenAction<</S/SubmitForm/F(${url})>>/AcroForm<</Fields[]/XFA(<x/>)>>`,
    }),
    "a file that lies elsewhere": page(shown, { catalog: "/OpenAction<</S/GoToR/F(/etc/passwd)>>" }),
    "a stream that lies elsewhere": page(shown, {
      more: [Buffer.from("<</Length 0/F(/etc/passwd)>>stream\n\nendstream")],
    }),
    "embedded files": page(shown, {
      catalog: "/Names<</EmbeddedFiles<</Names[(a)6 0 R]>>>>",
      more: ["<</Type/Filespec/F(a.exe)/EF<</F 7 0 R>>>>", stream("MZ")],
    }),
    "metadata of a billion laughs": page(shown, {
      catalog: "/Metadata 6 0 R",
      more: [
        stream(
          `<!DOCTYPE x [<!ENTITY a "ha">${times(12, (at) => `<!ENTITY b${at} "${"&a;".repeat(10)}">`)}]><x>&b11;</x>`,
          "/Type/Metadata/Subtype/XML",
        ),
      ],
    }),
    "metadata of 20,000 elements in one another": page(shown, {
      catalog: "/Metadata 6 0 R",
      more: [stream(`<x:xmpmeta>${"<a>".repeat(20_000)}`, "/Type/Metadata/Subtype/XML")],
    }),
    "a title with scripts": page(shown, { trailer: "/Info<</Title(<script>alert\\(1\\)</script>)>>" }),
  };
}

function broken(valid: Uint8Array): Record<string, Buffer> {
  const text = Buffer.from(valid).toString("latin1");
  const changed = (from: string | RegExp, to: string) => Buffer.from(text.replace(from, to), "latin1");
  const [catalog, pages, leaf] = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
  ];
  return {
    "offsets that are all wrong": pdf([catalog, pages, leaf], { offset: 5 }),
    "offsets beyond its end": pdf([catalog, pages, leaf], { offset: 1_000_000 }),
    "no place of the references": changed(/startxref\s+\d+/, ""),
    "references at minus one": changed(/startxref\s+\d+/, "startxref\n-1"),
    "references at themselves": pdf([catalog, pages, leaf], { trailer: "/Prev 0" }),
    "references at a number of a thousand digits": changed(/startxref\s+\d+/, `startxref\n${"9".repeat(1000)}`),
    "no trailer": changed("trailer", "traiIer"),
    "a trailer without root": changed(/\/Root[^/>]+/, ""),
    "a root that is missing": changed(/\/Root \d+/, "/Root 9999"),
    "a header alone": Buffer.from("%PDF-1.7\n%%EOF"),
    "a header after a kilobyte": Buffer.concat([Buffer.alloc(900, "x"), valid]),
    "two documents in one": Buffer.concat([valid, valid]),
    "a document and a megabyte of noise": Buffer.concat([
      valid,
      Buffer.from(Array.from({ length: MB }, (_, at) => (at * 7919) % 251)),
    ]),
    noise: Buffer.concat([
      Buffer.from("%PDF-1.7\n"),
      Buffer.from(Array.from({ length: MB }, (_, at) => (at * at * 31) % 251)),
    ]),
    "a handler of encryption that nobody knows": page(shown, { trailer: "/Encrypt<</Filter/Unknown/V 9>>/ID[(a)(a)]" }),
    "encryption of no length": page(shown, {
      trailer: "/Encrypt<</Filter/Standard/V 5/R 6/Length 0/O()/U()/P -1>>/ID[(a)(a)]",
    }),
    "encryption that is itself": page(shown, {
      trailer: "/Encrypt 6 0 R/ID[(a)(a)]",
      more: ["<</Filter/Standard/V 6 0 R/R 6 0 R>>"],
    }),
    "a dictionary that is not closed": pdf([catalog, pages, "<</Type/Page/Parent 2 0 R"]),
    "objects of other numbers": changed(/\b3 0 obj/, "9 0 obj"),
    "500,000 empty objects": pdf([catalog, pages, leaf, ...Array.from({ length: 500_000 }, () => "null")]),
    "500,000 objects without references": Buffer.from(
      `%PDF-1.7\n${times(500_000, (at) => `${at} 0 obj\nnull\nendobj\n`)}`,
    ),
    "a million words obj": Buffer.from(`%PDF-1.7\n${"obj ".repeat(1_000_000)}`),
    "a million trailers": Buffer.from(`%PDF-1.7\n${"trailer\n<</Root 1 0 R>>\n".repeat(100_000)}`),
  };
}
