import { passesLuhn } from "./checksums.ts";

/*
 * Issuer identification numbers (ISO/IEC 7812-1; ranges and lengths as the card schemes publish them). `usual` lengths are found without a word
 * nearby; at the `rare` ones, which the schemes allow but hardly issue, Luhn alone would let one in ten of all numbers pass.
 */
interface Scheme {
  readonly name: string;
  /** Ranges of leading digits; both ends have the same number of digits and belong to the range. */
  readonly ranges: readonly (readonly [number, number])[];
  readonly usual: readonly number[];
  readonly rare: readonly number[];
}

const schemes: readonly Scheme[] = [
  { name: "visa", ranges: [[4, 4]], usual: [16], rare: [13, 19] },
  {
    name: "mastercard",
    ranges: [
      [51, 55],
      [2221, 2720],
    ],
    usual: [16],
    rare: [],
  },
  {
    name: "american_express",
    ranges: [
      [34, 34],
      [37, 37],
    ],
    usual: [15],
    rare: [],
  },
  {
    name: "discover",
    ranges: [
      [6011, 6011],
      [644, 649],
      [65, 65],
    ],
    usual: [16],
    rare: [17, 18, 19],
  },
  {
    name: "diners_club",
    ranges: [
      [300, 305],
      [3095, 3095],
      [36, 36],
      [38, 39],
    ],
    usual: [],
    rare: [14, 15, 16, 17, 18, 19],
  },
  { name: "jcb", ranges: [[3528, 3589]], usual: [16], rare: [17, 18, 19] },
  { name: "unionpay", ranges: [[62, 62]], usual: [16], rare: [17, 18, 19] },
  { name: "mir", ranges: [[2200, 2204]], usual: [16], rare: [17, 18, 19] },
  {
    name: "rupay",
    ranges: [
      [60, 60],
      [81, 82],
      [508, 508],
    ],
    usual: [],
    rare: [16],
  },
  {
    name: "maestro",
    ranges: [
      [50, 50],
      [56, 69],
    ],
    usual: [],
    rare: [12, 13, 14, 15, 16, 17, 18, 19],
  },
];

/** How the number of a payment card is written: by itself, or in the groups that are printed on it. Of those with 14 digits, 4-6-4 is diners' own. */
export const cardShapes: readonly string[] = [
  ...Array.from({ length: 8 }, (_, more) => String(12 + more)),
  ...[" ", "-"].flatMap((by) => ["4 4 4 4", "4 6 5", "4 6 4", "4 4 4 4 3"].map((shape) => shape.replaceAll(" ", by))),
];

/** Which scheme a number of 12 to 19 digits belongs to, and whether a word nearby must confirm it; null when the checksum or the issuer is wrong. */
export function cardSchemeOf(
  digits: string,
  grouped: boolean,
): { readonly scheme: string; readonly needsWord: boolean } | null {
  if (!passesLuhn(digits)) return null;
  for (const { name, ranges, usual, rare } of schemes) {
    if (!ranges.some(([low, high]) => isBetween(digits, low, high))) continue;
    if (usual.includes(digits.length)) return { scheme: name, needsWord: false };
    if (rare.includes(digits.length)) return { scheme: name, needsWord: !(grouped && digits.length === 14) };
  }
  return null;
}

function isBetween(digits: string, low: number, high: number): boolean {
  const lead = Number(digits.slice(0, String(low).length));
  return lead >= low && lead <= high;
}
