import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Text } from "./characters.ts";
import { scanText } from "./scan-text.ts";
import { corpus } from "./testing/corpus.ts";

/** A text that counts every unit that is read of it. The detectors read texts through these methods alone, so no work can hide from the count. */
class CountedText implements Text {
  readonly length: number;
  read = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
    this.length = text.length;
  }

  charCodeAt(at: number): number {
    this.read++;
    return this.text.charCodeAt(at);
  }

  slice(start: number, end?: number): string {
    const part = this.text.slice(start, end);
    this.read += part.length;
    return part;
  }

  startsWith(prefix: string, at?: number): boolean {
    this.read += prefix.length;
    return this.text.startsWith(prefix, at);
  }

  indexOf(part: string, at?: number): number {
    const found = this.text.indexOf(part, at);
    this.read += (found < 0 ? this.length : found + part.length) - (at ?? 0);
    return found;
  }
}

function unitsRead(text: string): number {
  const counted = new CountedText(text);
  scanText(counted, "iban");
  return counted.read;
}

/** The most units that are read per unit of any text. It bounds the windows around a place; what matters is that it does not grow with the text. */
const MOST_PER_UNIT = 150;

/** Texts that make careless scanners quadratic, each as the piece that is repeated. */
const pieces: readonly string[] = [
  "a",
  "1",
  "_",
  "@",
  "+",
  "-",
  ".",
  ":",
  "[",
  " ",
  "é",
  "1 ",
  "1-",
  "1.",
  "12 34 ",
  "1234 ",
  "4111 1111 1111 1111 ",
  "4111111111111111,",
  "1234567890123456 ",
  "a@",
  "a.",
  "a.a@",
  "@a.",
  "a@a.aa",
  "a@example.com,",
  "-a@a-.",
  "a.b-",
  "%@%.",
  "+1",
  "+1 ",
  "+49 ",
  "+49(0)",
  "+(",
  "+4930901820 ",
  "00",
  "0049 ",
  "tel 00 ",
  "DE",
  "DE89",
  "DE89 ",
  "DE89370400440532013000 ",
  "de89370400440532013000 ",
  "GB29 NWBK ",
  "1.2",
  "1.2.3.4 ",
  "1.2.3.4.",
  "192.0.2.1 ",
  "10.",
  "2001:",
  "2001:db8::1 ",
  "2001::",
  "::",
  "20:20:",
  "fe80:fe80:",
  "eyJ",
  "eyJ.",
  "eyJ-",
  "eyJaaaaaaaaaaaa.eyJaaaa.",
  "sk-",
  "sk-ant-",
  "ghp_",
  "xoxb-",
  "aos_dev_",
  "AKIA",
  "SG.",
  "SG.a",
  "AGE-SECRET-KEY-1",
  "secretaccesskey=",
  "aws_secret_access_key ",
  "-----BEGIN ",
  "-----BEGIN PRIVATE KEY-----",
  "-----END ",
  `-----BEGIN PRIVATE KEY-----\n${"A".repeat(64)}\n`,
  "------",
  "://",
  "://a:b@",
  "//:@",
  "a:b@",
  "://::::",
  "http://a:b",
  "dni 12345678Z ",
  "bsn 111222333 ",
  "12345678-Z ",
  "X-1234567-L ",
  "A1",
  "aaaaaa11a11a111a",
  "RSSMRA85T10A562S",
  "811228-9874 ",
  "11/",
  "a1a1-",
  `${"bsn ".repeat(10)}111222333 `,
  "[email_1]",
  "[a_",
];

describe("the work of scanning", () => {
  it.each(pieces.map((piece) => [JSON.stringify(piece), piece] as const))(
    "grows in step with a text that repeats %s",
    (_shown, piece) => {
      const small = piece.repeat(Math.ceil(4_000 / piece.length));
      const large = piece.repeat(Math.ceil(32_000 / piece.length));
      const perUnit = unitsRead(large) / large.length;
      expect(perUnit).toBeLessThan(MOST_PER_UNIT);
      // Eight times the text, eight times the work: what is read per unit stays what it was (ends of the text apart).
      expect(perUnit).toBeLessThan((unitsRead(small) / small.length) * 1.25 + 1);
    },
  );

  it("is bounded per unit for whatever is put together from such pieces", () => {
    const text = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 400 }).map((some) => some.join(""));
    fc.assert(fc.property(text, (one) => unitsRead(one) <= MOST_PER_UNIT * (one.length + 10)));
  });

  it("reads ordinary texts a few times at most", () => {
    const text = corpus()
      .filter(({ expects }) => expects.length === 0)
      .map((sample) => `The customer asked whether this could be moved to another day of the week: ${sample.text}`)
      .join(" ");
    expect(unitsRead(text) / text.length).toBeLessThan(8);
  });

  it("finds in a counted text what it finds in a string", () => {
    for (const { text } of corpus().slice(0, 200)) expect(scanText(new CountedText(text))).toEqual(scanText(text));
  });
});
