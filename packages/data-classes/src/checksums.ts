import { crc32 } from "node:zlib";

/*
 * Checksums over texts of digits. All take texts of the right form and length; none allocates.
 */

const digitAt = (text: string, at: number): number => text.charCodeAt(at) - 48;

/** Luhn (ISO/IEC 7812-1, annex B): from the right, every second digit counts double. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  let double = false;
  for (let at = digits.length - 1; at >= 0; at--) {
    const value = digitAt(digits, at) * (double ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
    double = !double;
  }
  return sum % 10 === 0;
}

/** The sum of the leading digits, each times its weight. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < weights.length; at++) sum += digitAt(digits, at) * weights[at]!;
  return sum;
}

/** The rest of a decimal number of any length modulo `divisor`, which may have seven digits at most. */
export function restOf(digits: string, divisor: number): number {
  let rest = 0;
  for (let at = 0; at < digits.length; at++) rest = (rest * 10 + digitAt(digits, at)) % divisor;
  return rest;
}

/** ISO 7064 MOD 97-10 over digits and upper-case letters (A = 10 … Z = 35), as IBANs use it: read `text` from the fifth character round to the fourth. */
export function passesIbanChecksum(text: string): boolean {
  let rest = 0;
  for (let step = 0; step < text.length; step++) {
    const code = text.charCodeAt((step + 4) % text.length);
    rest = code >= 65 ? (rest * 100 + code - 55) % 97 : (rest * 10 + code - 48) % 97;
  }
  return rest === 1;
}

/** ISO 7064 MOD 11,10, whose last digit is the check digit. */
export function passesMod11And10(digits: string): boolean {
  let product = 10;
  for (let at = 0; at < digits.length - 1; at++) {
    const sum = (digitAt(digits, at) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (product + digitAt(digits, digits.length - 1)) % 10 === 1;
}

/** Verhoeff (1969): the digits, permuted by their place, multiply to 0 in the dihedral group of order 10. */
export function passesVerhoeff(digits: string): boolean {
  let value = 0;
  for (let place = 0; place < digits.length; place++) {
    value = times(value, permuted(digitAt(digits, digits.length - 1 - place), place % 8));
  }
  return value === 0;
}

/** The product in the dihedral group D5: 0 to 4 are turns, 5 to 9 reflections. */
function times(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b) % 5);
  return b < 5 ? 5 + ((a - b) % 5) : (a - b + 5) % 5;
}

const permutation = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

function permuted(digit: number, rounds: number): number {
  let value = digit;
  for (let round = 0; round < rounds; round++) value = permutation[value]!;
  return value;
}

/** Whether two digits each, `month` and `day`, can be a date; the year is not known well enough to count the days of February. */
export function isMonthAndDay(month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= (month === 2 ? 29 : [4, 6, 9, 11].includes(month) ? 30 : 31);
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The CRC-32 (ISO 3309) of a text in base 62, six places: the checksum at the end of API keys. */
export function base62Checksum(text: string): string {
  let rest = crc32(text);
  let checksum = "";
  for (let place = 0; place < 6; place++) {
    checksum = BASE62[rest % 62]! + checksum;
    rest = Math.floor(rest / 62);
  }
  return checksum;
}
