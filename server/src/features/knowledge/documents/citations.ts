// A citation names a chunk as it was: `cit_`, the 26 characters of the document's id, then generation, version, number and revision, each as the count of
// its digits and its digits in Crockford's base 32. Each chunk has one citation, and each text of this form one meaning.

export interface CitedChunk {
  readonly document: string;
  readonly generation: number;
  readonly version: number;
  readonly number: number;
  readonly revision: number;
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const form = /^cit_([0-9a-hjkmnp-tv-z]{26})([0-9a-hjkmnp-tv-z]{8,32})$/;
const largest = 2 ** 31 - 1;

export function citationOf({ document, generation, version, number, revision }: CitedChunk): string {
  return `cit_${document.slice("doc_".length)}${[generation, version, number, revision].map(digitsOf).join("")}`;
}

/** Undefined: not a citation. */
export function parseCitation(text: string): CitedChunk | undefined {
  const match = form.exec(text);
  if (!match) return undefined;
  const [, id, rest = ""] = match;
  const numbers: number[] = [];
  let at = 0;
  while (at < rest.length) {
    const digits = rest.slice(at + 1, at + 1 + alphabet.indexOf(rest[at] as string));
    const value = [...digits].reduce((sum, digit) => sum * 32 + alphabet.indexOf(digit), 0);
    if (value > largest || rest[at] + digits !== digitsOf(value)) return undefined;
    numbers.push(value);
    at += 1 + digits.length;
  }
  const [generation, version, number, revision, ...more] = numbers;
  if (generation === undefined || version === undefined || number === undefined || revision === undefined)
    return undefined;
  return more.length > 0 ? undefined : { document: `doc_${id}`, generation, version, number, revision };
}

function digitsOf(value: number): string {
  let digits = "";
  for (let rest = value; rest > 0 || digits === ""; rest = Math.floor(rest / 32)) digits = alphabet[rest % 32] + digits;
  return `${alphabet[digits.length]}${digits}`;
}
