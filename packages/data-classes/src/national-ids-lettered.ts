import { isMonthAndDay, restOf, weightedSum } from "./checksums.ts";

/*
 * National ids in which letters stand. All take upper-case letters and digits of the right form.
 */

const number = (text: string, from: number, to: number): number => Number(text.slice(from, to));
/** The value of a character in base 36: A is 10. */
const value36 = (character: string): number => Number.parseInt(character, 36);

const SPANISH = "TRWAGMYFPDXBNJZSQVHLCKE";

/** Spain, DNI: the letter is the rest of the number modulo 23 (Real Decreto 1553/2005). */
export function isDni(text: string): boolean {
  return SPANISH[number(text, 0, 8) % 23] === text[8];
}

/** Spain, NIE: as DNI, with X, Y, Z in place of a leading 0, 1, 2. */
export function isNie(text: string): boolean {
  const lead = "XYZ".indexOf(text[0]!);
  return lead >= 0 && SPANISH[(lead * 10_000_000 + number(text, 1, 8)) % 23] === text[8];
}

/** What a character counts at an odd place of a codice fiscale: the digits 0 to 9, which count as A to J, and then the letters from K. */
const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
const ITALIAN_MONTHS = "ABCDEHLMPRST";

/** Italy, codice fiscale of persons (D.M. 23 December 1976): check letter modulo 26; women have 40 added to the day. */
export function isCodiceFiscale(text: string): boolean {
  const day = number(text, 9, 11);
  if (!isMonthAndDay(ITALIAN_MONTHS.indexOf(text[8]!) + 1, day > 40 ? day - 40 : day)) return false;
  let sum = 0;
  for (let at = 0; at < 15; at++) {
    const value = value36(text[at]!);
    const rank = value < 10 ? value : value - 10;
    sum += at % 2 === 0 ? ODD[rank]! : rank;
  }
  return sum % 26 === value36(text[15]!) - 10;
}

/** France, NIR: key of 97 minus the rest modulo 97; Corsica's 2A and 2B count as 19 and 18 (INSEE). */
export function isNir(text: string): boolean {
  const department = text.slice(5, 7);
  if (
    !Number.isInteger(Number(text.slice(0, 5) + text.slice(7))) ||
    !(Number.isInteger(Number(department)) || /^2[AB]$/.test(department))
  )
    return false;
  const numeric = text.slice(0, 5) + ({ "2A": "19", "2B": "18" }[department] ?? department) + text.slice(7, 13);
  const month = number(text, 3, 5);
  const born = (month >= 1 && month <= 12) || (month >= 20 && month <= 42) || month >= 50;
  return "123478".includes(text[0]!) && born && number(text, 13, 15) === 97 - restOf(numeric, 97);
}

const FINNISH = "0123456789ABCDEFHJKLMNPRSTUVWXY";

/** Finland, henkilötunnus: the character is the rest of date and number modulo 31; the century's mark is a letter here or was a hyphen. */
export function isHetu(text: string): boolean {
  const marked = text.length === 11;
  if (marked && !"ABCDEFUVWXY".includes(text[6]!)) return false;
  const numbers = text.slice(0, 6) + text.slice(marked ? 7 : 6, -1);
  return isMonthAndDay(number(text, 2, 4), number(text, 0, 2)) && FINNISH[Number(numbers) % 31] === text.at(-1);
}

/** China, resident identity number (GB 11643, with the check of ISO 7064 MOD 11-2). */
export function isResidentId(text: string): boolean {
  const rest = weightedSum(text, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11;
  const year = number(text, 6, 10);
  return (
    "12345678".includes(text[0]!) &&
    year >= 1900 &&
    year < 2100 &&
    isMonthAndDay(number(text, 10, 12), number(text, 12, 14)) &&
    "10X98765432"[rest] === text[17]
  );
}

const MEXICAN = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ";

/** Mexico, CURP (RENAPO): weights 18 … 2 over an alphabet with Ñ, modulo 10. */
export function isCurp(text: string): boolean {
  if (!"HMX".includes(text[10]!) || !isMonthAndDay(number(text, 6, 8), number(text, 8, 10))) return false;
  let sum = 0;
  for (let at = 0; at < 17; at++) sum += MEXICAN.indexOf(text[at]!) * (18 - at);
  return (10 - (sum % 10)) % 10 === number(text, 17, 18);
}

/** Singapore, NRIC (S, T) and FIN (F, G): weights 2 7 6 5 4 3 2, with 4 added for T and G, modulo 11. */
export function isNric(text: string): boolean {
  const letters = { S: "JZIHGFEDCBA", T: "JZIHGFEDCBA", F: "XWUTRQPNMLK", G: "XWUTRQPNMLK" }[text[0]!];
  const sum = weightedSum(text.slice(1, 8), [2, 7, 6, 5, 4, 3, 2]) + ("TG".includes(text[0]!) ? 4 : 0);
  return letters?.[sum % 11] === text[8];
}

/** Ireland, PPS number: weights 8 … 2, and 9 for the rank of a second letter, modulo 23. */
export function isPps(text: string): boolean {
  const second = text[8] === undefined ? 0 : value36(text[8]) - 9;
  const sum = weightedSum(text, [8, 7, 6, 5, 4, 3, 2]) + (second === 23 ? 0 : second) * 9;
  return "WABCDEFGHIJKLMNOPQRSTUV"[sum % 23] === text[7];
}
