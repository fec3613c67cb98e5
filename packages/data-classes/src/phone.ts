import { isInternationalNumber } from "./calling-codes.ts";
import { isDigit, isWord, separatorOf, type Text } from "./characters.ts";
import type { Found } from "./classes.ts";
import { contextOf } from "./context.ts";

/*
 * Telephone numbers in international form (ITU-T E.164, written as E.123 says): `+`, country code, number, with the usual separators and an
 * optional (0). With a word nearby that says so also `00` in place of the `+`, and the bare digits of a number that begins with its country code.
 */
const MOST_DIGITS = 15;
const FEWEST_DIGITS = 8;
const LONGEST = 32;

/** A telephone number whose `+` stands at `start`. */
export function phoneAt(text: Text, start: number, name: string): Found | null {
  if (isWord(text.charCodeAt(start - 1)) || text.charCodeAt(start - 1) === 0x2b) return null;
  const { ends, marks } = readDigits(text, start + 1);
  const end = ends.at(-1);
  if (end === undefined) return null;
  // +52.5200066 is a number with decimals unless something says that it is a telephone number (RFC 5733 writes them so).
  const decimal = marks === "." && contextOf(text, start, end, name, "phone") !== "for";
  return decimal ? null : { kind: "phone", format: "e164", start, end };
}

/** A telephone number without `+` whose first digit stands at `start`; `length` is that of its first group. */
export function bareNumberAt(text: Text, start: number, length: number, name: string): Found | null {
  const zeros = text.charCodeAt(start) === 48 && text.charCodeAt(start + 1) === 48;
  if (!zeros && (length < FEWEST_DIGITS + 2 || length > MOST_DIGITS)) return null;
  const { ends } = readDigits(text, zeros ? start + 2 : start);
  const end = zeros ? ends.at(-1) : ends.find((one) => one === start + length);
  if (end === undefined || contextOf(text, start, end, name, "phone") !== "for") return null;
  return { kind: "phone", format: zeros ? "00" : "bare", start, end };
}

/**
 * Reads digits in groups. `ends` are the places behind a group up to which all digits make a number, `marks` the separators that stand before
 * the last of them. A number may end where a space follows and the next group is no longer its own.
 */
function readDigits(text: Text, start: number): { ends: number[]; marks: string } {
  const found = { ends: [] as number[], marks: "" };
  let digits = "";
  let marks = "";
  let at = start;
  while (at - start < LONGEST && digits.length <= MOST_DIGITS) {
    const from = at;
    while (isDigit(text.charCodeAt(at)) && at - start < LONGEST) at++;
    if (at === from) break;
    const group = text.slice(from, at);
    // A national 0 in parentheses is not dialled from abroad.
    const trunk = group === "0" && text.charCodeAt(from - 1) === 0x28 && text.charCodeAt(at) === 0x29;
    if (!trunk) digits += group;
    const over = readSeparators(text, at);
    if (
      !isWord(text.charCodeAt(at)) &&
      !isJoined(text, at, over) &&
      digits.length >= FEWEST_DIGITS &&
      isInternationalNumber(digits)
    ) {
      found.ends.push(at);
      found.marks = marks;
    }
    if (over === at) break;
    marks += separatorOf(text.charCodeAt(at)) || "(";
    at = over;
  }
  return found;
}

/** Over one separator, or two of which one is a parenthesis, when a digit follows; else `start`. */
function readSeparators(text: Text, start: number): number {
  let at = start;
  while (at < start + 3 && (separatorOf(text.charCodeAt(at)) !== "" || isParenthesis(text.charCodeAt(at)))) at++;
  if (at === start || !isDigit(text.charCodeAt(at))) return start;
  if (at - start === 1) return at;
  return isParenthesis(text.charCodeAt(start)) || isParenthesis(text.charCodeAt(at - 1)) ? at : start;
}

const isParenthesis = (code: number): boolean => code === 0x28 || code === 0x29;

/** Whether the next group hangs on by something else than a space. */
function isJoined(text: Text, end: number, next: number): boolean {
  return next > end && separatorOf(text.charCodeAt(end)) !== " ";
}
