import {
  AT,
  classes,
  DASH,
  DIGIT,
  isContinuation,
  isDigit,
  isSpace,
  isWord,
  PLUS,
  type Text,
  UNDERSCORE,
  WORD,
} from "./characters.ts";
import { dataClassOf, type Finding, type Found } from "./classes.ts";
import { emailAround } from "./email.ts";
import { beginsLikeIban, ibanAt } from "./iban.ts";
import { ipv4At, ipv6At } from "./ip-address.ts";
import { numberAt } from "./numbers.ts";
import { bareNumberAt, phoneAt } from "./phone.ts";
import { keyBlockAt, mayBeginSecret, memberSecret, namedSecretAt, secretAt, userinfoBefore } from "./secret-key.ts";

/**
 * Finds personal data, bank and card numbers, national ids and secrets in a text, in order, none overlapping another. `name` is the name of the JSON member
 * that holds the text, empty when there is none: `bsn` says of nine digits what they are. With `wordsOnly` numbers count only with a word
 * nearby that names them: so for JSON numbers, most of which are amounts, times and ids.
 *
 * One pass over the words: every unit is classified once; only at the few words that can begin something is a bounded stretch read again. Time is
 * linear in the length of the text, whatever stands in it (linear-time.test.ts counts every unit that is read).
 */
export function scanText(text: Text, name = "", wordsOnly = false): readonly Finding[] {
  const whole = name === "" ? null : memberSecret(text, name);
  if (whole !== null) return [{ ...whole, data_class: dataClassOf(whole.kind) }];
  let pass: Pass | undefined;
  const { length } = text;
  let at = 0;
  while (at < length) {
    const kind = classes[text.charCodeAt(at)]!;
    if (kind === 0) {
      at++;
      continue;
    }
    const start = at;
    let kinds = kind;
    if ((kind & WORD) !== 0) {
      for (at++; at < length; at++) {
        const next = classes[text.charCodeAt(at)]!;
        if ((next & WORD) === 0) break;
        kinds |= next;
      }
      if ((kinds & DIGIT) === 0 && !mayBeginSecret(text, start)) continue;
    }
    pass ??= new Pass(text, name, wordsOnly);
    at = (kinds & WORD) !== 0 ? pass.word(start, at, kinds) : pass.mark(start, kind);
  }
  return pass === undefined ? nothing : pass.findings();
}

const nothing: readonly Finding[] = [];

/** What was found so far, and the looks at what may be something. */
class Pass {
  private readonly text: Text;
  private readonly name: string;
  private readonly wordsOnly: boolean;
  private readonly found: Found[] = [];

  constructor(text: Text, name: string, wordsOnly: boolean) {
    this.text = text;
    this.name = name;
    this.wordsOnly = wordsOnly;
  }

  findings(): readonly Finding[] {
    return this.found.length === 0 ? nothing : this.found.map((one) => ({ ...one, data_class: dataClassOf(one.kind) }));
  }

  /** A run of letters, digits and underscores that has a digit or begins like a key. Answers where to go on. */
  word(start: number, end: number, kinds: number): number {
    const { text } = this;
    const secret = mayBeginSecret(text, start) ? (secretAt(text, start) ?? namedSecretAt(text, start, end)) : null;
    if (secret !== null) return this.keep(secret);
    // Ids of this service, and names of variables, have an underscore; no number has.
    if ((kinds & DIGIT) === 0 || (kinds & UNDERSCORE) !== 0) return end;
    const digitsOnly = kinds === DIGIT;
    if (digitsOnly && end - start < SHORTEST_NUMBER && !hasMore(text, end)) return end;
    const number = this.number(start, end, digitsOnly);
    return number === null ? end : this.keep(number);
  }

  /** Something with a digit in it: the word from `start` to `end`, alone or with those behind it. */
  private number(start: number, end: number, digitsOnly: boolean): Found | null {
    const { text, name, wordsOnly } = this;
    const after = text.charCodeAt(end);
    if (digitsOnly && end - start <= 3 && after === 0x2e && !isContinuation(text, start)) {
      const address = ipv4At(text, start, name);
      if (address !== null) return address;
    }
    if (after === 0x3a && end - start === 4 && !isWithinColons(text, start)) {
      const address = ipv6At(text, start);
      if (address !== null) return address;
    }
    if (!digitsOnly && beginsLikeIban(text, start) && !isContinuation(text, start)) {
      const iban = ibanAt(text, start, name);
      if (iban !== null) return iban;
    }
    const number = numberAt(text, start, name, wordsOnly);
    if (number !== null || !digitsOnly || isContinuation(text, start)) return number;
    return bareNumberAt(text, start, end - start, name);
  }

  /** One of `@`, `+` and `-`. Answers where to go on. */
  mark(at: number, kind: number): number {
    const { text } = this;
    if (kind === AT) return this.at(at);
    const found = kind === PLUS ? phoneAt(text, at, this.name) : kind === DASH ? keyBlockAt(text, at) : null;
    return found === null ? at + 1 : this.keep(found);
  }

  private at(at: number): number {
    const { inside, found } = userinfoBefore(this.text, at);
    if (inside) {
      if (found !== null) this.keepInstead(found);
      return at + 1;
    }
    const email = emailAround(this.text, at);
    return email !== null && this.keepInstead(email) ? email.end : at + 1;
  }

  private keep(found: Found): number {
    this.found.push(found);
    return found.end;
  }

  /** Keeps what begins before the place that was reached: in the place of what it covers, and not where it would cut something. */
  private keepInstead(found: Found): boolean {
    let kept = this.found.length;
    while (kept > 0 && this.found[kept - 1]!.start >= found.start) kept--;
    if (kept > 0 && this.found[kept - 1]!.end > found.start) return false;
    this.found.length = kept;
    this.found.push(found);
    return true;
  }
}

/** The fewest digits that are something without further groups. */
const SHORTEST_NUMBER = 8;

/** Whether a letter or digit follows behind one mark: `12.3`, `2001:db8`, but not `12 apples`. */
function hasMore(text: Text, end: number): boolean {
  const after = text.charCodeAt(end);
  if (isWord(after)) return true;
  const further = text.charCodeAt(end + 1);
  return isSpace(after) ? isDigit(further) : isWord(further) || further === 0x3a;
}

/** Whether a word stands behind a colon that a word or colon precedes: within a time, a hardware address, an IPv6 address that was refused. */
function isWithinColons(text: Text, start: number): boolean {
  if (text.charCodeAt(start - 1) !== 0x3a) return isContinuation(text, start);
  const further = text.charCodeAt(start - 2);
  return further === 0x3a || isHexadecimalDigit(further);
}

const isHexadecimalDigit = (code: number): boolean =>
  (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 102);
