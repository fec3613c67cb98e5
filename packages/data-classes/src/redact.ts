import { type DataKind, dataKinds } from "./classes.ts";
import { endOfPlaceholder } from "./context.ts";
import { LEAST_NUMBER, startScanLimits } from "./scan-json.ts";
import { scanText } from "./scan-text.ts";

/** What stands for each placeholder: the text, or the number, that it replaced. Itself the most protected data of all that it holds. */
export type Replaced = Readonly<Record<string, string | number>>;

export interface Redacted {
  readonly value: unknown;
  readonly replaced: Replaced;
}

/** A value that nests deeper than redaction goes. */
export class TooDeep extends RangeError {}

/**
 * Replaces what is found in a JSON value by placeholders such as `[email_1]`; within one call the same text always gets the same one. `what` says what to
 * replace: some kinds, or the kinds of what a scan has found; all kinds without it. Names of members are redacted as well.
 *
 * In the result a scan finds none of these kinds. Since a replacement shortens the text, and may bring a word next to a number that was too far from it
 * before, each changed string is scanned again; one that still is not clean after a few rounds is replaced whole, by `[withheld_1]`.
 *
 * Placeholders that already stand in the value are not given out, so that `restore` gives back exactly what came in. Throws TooDeep beyond 200 levels.
 */
export function redact(
  value: unknown,
  what: readonly (DataKind | { readonly kind: DataKind })[] = dataKinds,
): Redacted {
  const kinds = new Set(what.map((one) => (typeof one === "string" ? one : one.kind)));
  const taken = new Set<string>();
  mapJson(value, { text: (text) => note(text, taken), number: (number) => number });
  const ledger = new Ledger(kinds, taken);
  const redacted = mapJson(value, {
    text: (text, names) => ledger.text(text, names),
    number: (number, names) => ledger.number(number, names),
  });
  return { value: redacted, replaced: ledger.replaced() };
}

/**
 * Puts back what `redact` replaced, in any JSON value: also in what a model made of the redacted one. A placeholder that is a whole string and stood for a number becomes
 * that number; placeholders that the call did not give out are left as they are.
 */
export function restore(value: unknown, replaced: Replaced): unknown {
  const originals = new Map(Object.entries(replaced));
  return mapJson(value, { text: (text) => restoreText(text, originals), number: (number) => number });
}

function restoreText(text: string, originals: ReadonlyMap<string, string | number>): string | number {
  const whole = originals.get(text);
  if (whole !== undefined) return whole;
  let result = "";
  let copied = 0;
  for (const [start, end] of placeholdersIn(text)) {
    const original = originals.get(text.slice(start, end));
    if (original === undefined) continue;
    result += text.slice(copied, start) + original;
    copied = end;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

interface Changes {
  /** A string or the name of a member. `names` are those of the member that holds it, as it was and as it is now. */
  text(text: string, names: readonly string[]): string | number;
  number(number: number, names: readonly string[]): string | number;
}

/** A copy of a JSON value with every string, number and member name changed. Members that JSON does not have stay as they are. */
function mapJson(value: unknown, changes: Changes, names: readonly string[] = [], depth = 0): unknown {
  if (typeof value === "string") return changes.text(value, names);
  if (typeof value === "number") return changes.number(value, names);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= startScanLimits.depth)
    throw new TooDeep(`must not nest more than ${startScanLimits.depth} levels of arrays and objects to be redacted`);
  if (Array.isArray(value)) return value.map((element) => mapJson(element, changes, names, depth + 1));
  const members = Object.entries(value).map(([name, member]) => {
    const renamed = String(changes.text(name, []));
    return [renamed, mapJson(member, changes, renamed === name ? [name] : [name, renamed], depth + 1)] as const;
  });
  // Defines members, also one that is called __proto__.
  return Object.fromEntries(members);
}

/** Where placeholders, ours or not, stand in a text. */
function* placeholdersIn(text: string): Generator<readonly [number, number]> {
  for (let start = text.indexOf("["); start >= 0; start = text.indexOf("[", start + 1)) {
    const end = endOfPlaceholder(text, start);
    if (end >= 0) yield [start, end];
  }
}

function note(text: string, taken: Set<string>): string {
  for (const [start, end] of placeholdersIn(text)) taken.add(text.slice(start, end));
  return text;
}

const ROUNDS = 4;

/** The placeholders of one call. */
class Ledger {
  private readonly kinds: ReadonlySet<DataKind>;
  private readonly taken: ReadonlySet<string>;
  private readonly originals = new Map<string, string | number>();
  private readonly placeholders = new Map<string | number, string>();
  private readonly counts = new Map<string, number>();

  constructor(kinds: ReadonlySet<DataKind>, taken: ReadonlySet<string>) {
    this.kinds = kinds;
    this.taken = taken;
  }

  replaced(): Replaced {
    return Object.fromEntries(this.originals);
  }

  number(number: number, names: readonly string[]): string | number {
    if (!Number.isSafeInteger(number) || number < LEAST_NUMBER) return number;
    const [found] = this.scan(String(number), names, true);
    return found === undefined ? number : this.placeholder(found.kind, number);
  }

  text(text: string, names: readonly string[]): string {
    let current = text;
    for (let round = 0; round < ROUNDS; round++) {
      const found = this.scan(current, names, false);
      if (found.length === 0) return current;
      let next = "";
      let copied = 0;
      for (const { kind, start, end } of found) {
        next += current.slice(copied, start) + this.placeholder(kind, this.original(current.slice(start, end)));
        copied = end;
      }
      current = next + current.slice(copied);
    }
    return this.scan(current, names, false).length === 0 ? current : this.placeholder("withheld", text);
  }

  /** The first findings that the text has under one of its names. */
  private scan(
    text: string,
    names: readonly string[],
    wordsOnly: boolean,
  ): readonly { kind: DataKind; start: number; end: number }[] {
    for (const name of names.length === 0 ? [""] : names) {
      const found = scanText(text, name, wordsOnly).filter(({ kind }) => this.kinds.has(kind));
      if (found.length > 0) return found;
    }
    return [];
  }

  /** What stood there at first, when an earlier round has replaced a part of it. */
  private original(text: string): string {
    return String(restoreText(text, this.originals));
  }

  private placeholder(label: string, original: string | number): string {
    const known = this.placeholders.get(original);
    if (known !== undefined) return known;
    let placeholder: string;
    do {
      const count = (this.counts.get(label) ?? 0) + 1;
      this.counts.set(label, count);
      placeholder = `[${label}_${count}]`;
    } while (this.taken.has(placeholder));
    this.placeholders.set(original, placeholder);
    this.originals.set(placeholder, original);
    return placeholder;
  }
}
