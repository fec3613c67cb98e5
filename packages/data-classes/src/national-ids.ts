import { isMonthAndDay, passesLuhn, passesMod11And10, passesVerhoeff, restOf, weightedSum } from "./checksums.ts";
import * as lettered from "./national-ids-lettered.ts";

/*
 * National ids that have a checksum. Forms: digits stand for as many digits, `a` for a letter, anything else for itself. A `free` form is found by itself: of
 * texts of that form that nobody meant as an id, at most one in a hundred passes. A `named` form needs a word nearby (see context.ts): its checksum is
 * weaker, and parcels, orders and accounts have numbers like it. Ids without a checksum (SSN of the United States, CPR of Denmark since 2007) are not here.
 */
export interface NationalId {
  readonly format: string;
  readonly free: readonly string[];
  readonly named: readonly string[];
  /** Whether the letters (upper case) and digits of a text of one of the forms are such an id. */
  readonly accepts: (characters: string) => boolean;
}

const number = (digits: string, from: number, to: number): number => Number(digits.slice(from, to));
const isRepeated = (digits: string): boolean => digits.split("").every((digit) => digit === digits[0]);
const descending = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from - at);

/** 11 minus the rest modulo 11, as many national numbers have it; 11 counts as 0, and 10 is given to nobody. */
function check11(digits: string, weights: readonly number[]): number {
  return (11 - (weightedSum(digits, weights) % 11)) % 11;
}

/** Netherlands, burgerservicenummer: "elfproef", weights 9 … 2 and −1 (Besluit BSN). */
export function isBsn(digits: string): boolean {
  return !isRepeated(digits) && weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
}

/** Poland, PESEL: weights 1 3 7 9; the century is added to the month in steps of 20. */
export function isPesel(digits: string): boolean {
  const sum = weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]);
  return sum % 10 === 0 && isMonthAndDay(number(digits, 2, 4) % 20, number(digits, 4, 6));
}

/** United Kingdom, NHS number: modulo 11 with weights 10 … 2 (NHS data dictionary). */
export function isNhsNumber(digits: string): boolean {
  return !isRepeated(digits) && check11(digits, descending(10, 9)) === number(digits, 9, 10);
}

/** Brazil, CPF: two check digits modulo 11, each 0 where the rest is below 2. */
export function isCpf(digits: string): boolean {
  const check = (count: number): number => check11(digits, descending(count + 1, count)) % 10;
  return !isRepeated(digits) && check(9) === number(digits, 9, 10) && check(10) === number(digits, 10, 11);
}

/** India, Aadhaar: Verhoeff; begins with 2 to 9 (UIDAI). */
export function isAadhaar(digits: string): boolean {
  return digits.charCodeAt(0) >= 50 && !isRepeated(digits) && passesVerhoeff(digits);
}

/** Sweden, personnummer: Luhn over the last ten digits; the day of a samordningsnummer has 60 added. */
export function isPersonnummer(digits: string): boolean {
  const short = digits.slice(-10);
  const day = number(short, 4, 6);
  const century = digits.length === 10 || ["18", "19", "20"].includes(digits.slice(0, 2));
  return century && passesLuhn(short) && isMonthAndDay(number(short, 2, 4), day > 60 ? day - 60 : day);
}

/** Germany, steuerliche Identifikationsnummer: MOD 11,10; of its first ten digits one occurs two or three times and all others once at most. */
export function isGermanTaxId(digits: string): boolean {
  if (digits.startsWith("0") || !passesMod11And10(digits)) return false;
  const counts = new Array<number>(10).fill(0);
  for (let at = 0; at < 10; at++) counts[digits.charCodeAt(at) - 48]!++;
  const repeated = counts.filter((count) => count > 1);
  return repeated.length === 1 && repeated[0]! <= 3;
}

/** Switzerland, AHV number: EAN-13 with the country's 756. */
export function isAhv(digits: string): boolean {
  return digits.startsWith("756") && weightedSum(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;
}

/** Belgium, national number: 97 minus the rest modulo 97, of those born from 2000 with a 2 before; BIS numbers have 20 or 40 added to the month. */
export function isBelgian(digits: string): boolean {
  const body = digits.slice(0, 9);
  const check = number(digits, 9, 11);
  const month = number(digits, 2, 4) % 20;
  if (month > 12 || number(digits, 4, 6) > 31) return false;
  return check === 97 - restOf(body, 97) || check === 97 - restOf(`2${body}`, 97);
}

/** Norway, fødselsnummer: two check digits modulo 11; D-numbers have 40 added to the day. */
export function isFodselsnummer(digits: string): boolean {
  const day = number(digits, 0, 2);
  return (
    isMonthAndDay(number(digits, 2, 4), day > 40 ? day - 40 : day) &&
    weightedSum(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
    weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
  );
}

/** Portugal, NIF: modulo 11 with weights 9 … 2; 10 counts as 0. */
export function isPortugueseNif(digits: string): boolean {
  return (
    "1235689".includes(digits[0]!) &&
    !isRepeated(digits) &&
    check11(digits, descending(9, 8)) % 10 === number(digits, 8, 9)
  );
}

/** Czechia and Slovakia, rodné číslo of ten digits: divisible by 11; women have 50 added to the month, and 20 more may be added. */
export function isBirthNumber(digits: string): boolean {
  const month = number(digits, 2, 4) % 50;
  return restOf(digits, 11) === 0 && isMonthAndDay(month > 20 ? month - 20 : month, number(digits, 4, 6));
}

/** Romania, CNP: weights 279146358279 modulo 11; 10 counts as 1. */
export function isCnp(digits: string): boolean {
  const rest = weightedSum(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return (
    digits[0] !== "0" &&
    isMonthAndDay(number(digits, 3, 5), number(digits, 5, 7)) &&
    (rest === 10 ? 1 : rest) === number(digits, 12, 13)
  );
}

/** Türkiye, T.C. kimlik numarası: two check digits modulo 10. */
export function isKimlik(digits: string): boolean {
  const odd = weightedSum(digits, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
  const even = weightedSum(digits, [0, 1, 0, 1, 0, 1, 0, 1]);
  const tenth = (((odd * 7 - even) % 10) + 10) % 10;
  return digits[0] !== "0" && tenth === number(digits, 9, 10) && (odd + even + tenth) % 10 === number(digits, 10, 11);
}

/** Canada, social insurance number: Luhn; begins with neither 0 nor 8. */
export function isSin(digits: string): boolean {
  return digits[0] !== "0" && digits[0] !== "8" && !isRepeated(digits) && passesLuhn(digits);
}

export const nationalIds: readonly NationalId[] = [
  { format: "es_dni", free: [], named: ["8a", "8-a", "2.3.3-a", "2.3.3a"], accepts: lettered.isDni },
  { format: "es_nie", free: ["a7a", "a-7-a", "a7-a"], named: [], accepts: lettered.isNie },
  { format: "it_codice_fiscale", free: ["aaaaaa2a2a3a"], named: [], accepts: lettered.isCodiceFiscale },
  {
    format: "fr_nir",
    free: ["15", "13 2", "1 2 2 2 3 3 2", "6a8", "1 2 2 1a 3 3 2"],
    named: [],
    accepts: lettered.isNir,
  },
  { format: "nl_bsn", free: [], named: ["9", "4.2.3", "3 3 3", "3.3.3"], accepts: isBsn },
  { format: "pl_pesel", free: [], named: ["11"], accepts: isPesel },
  { format: "gb_nhs_number", free: [], named: ["10", "3 3 4", "3-3-4"], accepts: isNhsNumber },
  { format: "br_cpf", free: ["3.3.3-2"], named: ["11", "9-2"], accepts: isCpf },
  { format: "in_aadhaar", free: [], named: ["12", "4 4 4", "4-4-4"], accepts: isAadhaar },
  { format: "se_personnummer", free: [], named: ["6-4", "8-4", "10", "12"], accepts: isPersonnummer },
  { format: "de_tax_id", free: [], named: ["11", "2 3 3 3"], accepts: isGermanTaxId },
  { format: "ch_ahv", free: ["13", "3.4.4.2"], named: [], accepts: isAhv },
  { format: "be_national_number", free: ["2.2.2-3.2"], named: ["11", "6-3-2", "6 3 2"], accepts: isBelgian },
  { format: "fi_hetu", free: ["6-3a", "6a3a", "6a4"], named: ["6-4"], accepts: lettered.isHetu },
  { format: "no_fodselsnummer", free: [], named: ["11", "6 5"], accepts: isFodselsnummer },
  { format: "pt_nif", free: [], named: ["9", "3 3 3"], accepts: isPortugueseNif },
  { format: "cz_sk_birth_number", free: [], named: ["6/4", "10"], accepts: isBirthNumber },
  { format: "ro_cnp", free: [], named: ["13"], accepts: isCnp },
  { format: "hr_oib", free: [], named: ["11"], accepts: passesMod11And10 },
  { format: "tr_kimlik", free: [], named: ["11"], accepts: isKimlik },
  { format: "cn_resident_id", free: ["18", "17a"], named: [], accepts: lettered.isResidentId },
  { format: "mx_curp", free: ["aaaa6aaaaaa2", "aaaa6aaaaaaa1"], named: [], accepts: lettered.isCurp },
  { format: "sg_nric", free: ["a7a"], named: [], accepts: lettered.isNric },
  { format: "ie_pps", free: [], named: ["7a", "7aa"], accepts: lettered.isPps },
  { format: "ca_sin", free: [], named: ["9", "3 3 3", "3-3-3"], accepts: isSin },
];
