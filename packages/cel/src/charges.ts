import { type Budget, NeedsThread, TooCostly } from "./budget.ts";
import { compileCost, type Pattern, patternOf } from "./pattern.ts";
import { Needle, searchCost } from "./search.ts";
import { keysCost, sizeOf, smallerSize, typingCost, type Walked } from "./size.ts";

// What operations cost besides one unit for each node: how it was measured stands in docs/decisions/0065.

/** Where a charge is due: the budget, and the node that says where in the expression. */
export interface Bill {
  readonly budget: Budget;
  readonly place: { readonly start: number; readonly end: number };
}

/** A fault of an operation, as the library's own have a `summary`. */
export class OperationFault extends Error {
  readonly summary: string;
  constructor(summary: string) {
    super(summary);
    this.summary = summary;
  }
}

/** Units of an error that an operator such as `||` catches. */
export const ERROR_COST = 100;
/** Units of one that used up the stack. */
export const OVERFLOW_COST = 50_000;

const spend = ({ budget, place }: Bill, units: number): void => budget.spend(units, place);

/** Sizes cost what it takes to find them. */
function walked<T>(bill: Bill, walk: (walked: Walked) => T): T {
  const count = { visited: 0 };
  const found = walk(count);
  spend(bill, 2 * count.visited);
  return found;
}

/** Charges `==` and `!=`. */
function chargeEquality(bill: Bill, left: unknown, right: unknown): void {
  if (typeof left === "string" && typeof right === "string") spend(bill, Math.min(left.length, right.length) >>> 5);
  if (typeof left !== "object" || typeof right !== "object" || left === right) return;
  spend(bill, 4 * walked(bill, (count) => smallerSize(left, right, bill.budget.left, count)));
}

/** Charges `in`: a list is compared item by item. */
function chargeMembership(bill: Bill, value: unknown, list: unknown): void {
  if (!Array.isArray(list)) return;
  const own = typeof value === "string" ? value.length >>> 5 : 0;
  spend(bill, list.length * (2 + own));
  if (typeof value !== "object" || value === null) return;
  const { left } = bill.budget;
  const all = walked(bill, (count) =>
    Math.min(sizeOf(list, left, count), (list.length + 1) * sizeOf(value, left, count)),
  );
  spend(bill, 4 * all);
}

function chargeSum(bill: Bill, left: unknown, right: unknown): void {
  if (typeof left === "string" && typeof right === "string") spend(bill, (left.length + right.length) >>> 2);
  else if (Array.isArray(left) && Array.isArray(right)) spend(bill, left.length + right.length);
  else if (left instanceof Uint8Array && right instanceof Uint8Array) spend(bill, (left.length + right.length) >>> 4);
}

/** Charges an operator with two operands before it is carried out. */
export function chargeOperator(bill: Bill, operator: string, left: unknown, right: unknown): void {
  const isPlain = typeof left !== "object" && typeof right !== "object";
  if (!isPlain) spend(bill, typingCost(left) + typingCost(right));
  if (operator === "==" || operator === "!=") chargeEquality(bill, left, right);
  else if (operator === "in") chargeMembership(bill, left, right);
  else if (operator === "+") chargeSum(bill, left, right);
  else if (typeof left === "string" && typeof right === "string")
    spend(bill, Math.min(left.length, right.length) >>> 4);
}

/** Of a function: charges a call, and may carry it out itself, since the library would take too long. `undefined`: the library does. */
export type Charge = (bill: Bill, given: readonly unknown[]) => unknown;

const lengthOf = (value: unknown): number =>
  typeof value === "string" || value instanceof Uint8Array || Array.isArray(value) ? value.length : 0;
const byLength =
  (units: number): Charge =>
  (bill, [value]) =>
    spend(bill, lengthOf(value) * units);
const fixed =
  (units: number): Charge =>
  (bill) =>
    spend(bill, units);

const size: Charge = (bill, [value]) => {
  if (typeof value === "string") spend(bill, value.length >>> 1);
};

const beginsOrEnds: Charge = (bill, [, part]) => spend(bill, lengthOf(part) >>> 4);

const find: Charge = (bill, [text, part, from]) => {
  if (typeof text !== "string" || typeof part !== "string") return undefined;
  spend(bill, searchCost(text, part));
  if (from !== undefined && (typeof from !== "bigint" || part === "" || from < 0n || from >= text.length))
    return undefined;
  return BigInt(new Needle(part).indexIn(text, Number(from ?? 0)));
};

const contains: Charge = (bill, [text, part]) => {
  if (typeof text !== "string" || typeof part !== "string") return undefined;
  spend(bill, searchCost(text, part));
  return new Needle(part).indexIn(text) >= 0;
};

const findLast: Charge = (bill, [text, part]) => spend(bill, (lengthOf(text) * (lengthOf(part) + 1)) >>> 4);

const split: Charge = (bill, [text, separator, most]) => {
  if (typeof text !== "string" || typeof separator !== "string") return undefined;
  if (most !== undefined && typeof most !== "bigint") return undefined;
  const limit = Number(most ?? -1n);
  if (limit === 0) return [];
  spend(bill, separator === "" ? text.length * 2 : searchCost(text, separator));
  if (separator === "") return limit < 0 || text.length <= limit ? text.split("") : undefined;
  const [needle, parts]: [Needle, string[]] = [new Needle(separator), []];
  let from = 0;
  for (let at = needle.indexIn(text); at >= 0 && parts.length !== limit - 1; at = needle.indexIn(text, from)) {
    spend(bill, 4);
    parts.push(text.slice(from, at));
    from = at + separator.length;
  }
  parts.push(text.slice(from));
  return parts;
};

const join: Charge = (bill, [list, separator]) => {
  if (!Array.isArray(list)) return;
  spend(bill, list.length * (2 + (lengthOf(separator) >>> 2)));
  let length = 0;
  for (const one of list) length += lengthOf(one);
  spend(bill, length >>> 2);
};

/** Long ones take the library a time that grows with the third power. */
const duration: Charge = (bill, [text]) => {
  spend(bill, 40);
  if (typeof text !== "string") return;
  if (text.length > 100 || !/^[-+]?(?:\d*(?:\.\d*)?(?:ns|us|µs|ms|s|m(?!s)|h))+$/.test(text))
    throw new OperationFault("duration() takes a text of at most 100 characters such as '1h30m' or '-2.5s'");
};

/** Levels of a value that `json()` makes, as of the values that calls bring. */
const MOST_LEVELS = 64;

const json: Charge = (bill, [bytes]) => {
  if (!(bytes instanceof Uint8Array)) return undefined;
  spend(bill, bytes.length);
  const text = Buffer.from(bytes).toString("utf8");
  if (isDeep(text, MOST_LEVELS)) throw new OperationFault(`json() takes JSON of at most ${MOST_LEVELS} levels`);
  return undefined;
};

/** Whether a JSON text may nest deeper than so many levels. */
function isDeep(text: string, most: number): boolean {
  let [level, inText] = [0, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inText && character === "\\") at++;
    else if (character === '"') inText = !inText;
    else if (!inText && (character === "[" || character === "{") && ++level > most) return true;
    else if (!inText && (character === "]" || character === "}")) level--;
  }
  return false;
}

const inZone: Charge = (bill, [, zone]) => spend(bill, zone === undefined ? 20 : 1_500);

/** Runs a pattern. `written`: the program of one that is written out in the expression. */
export function matches(bill: Bill, text: string, source: string, written: Pattern | undefined): boolean {
  if (!written) spend(bill, compileCost(source));
  const pattern = written ?? patternOf(source);
  spend(bill, pattern.cost(text.length));
  return pattern.test(text);
}

const zoned = ["Date", "DayOfMonth", "DayOfWeek", "DayOfYear", "FullYear", "Hours", "Milliseconds", "Minutes", "Month"];

/** By name, what calls cost besides the base of each. */
export const charges: ReadonlyMap<string, Charge> = new Map<string, Charge>([
  ...([...zoned, "Seconds"].map((name) => [`get${name}`, inZone]) satisfies [string, Charge][]),
  ["size", size],
  ["startsWith", beginsOrEnds],
  ["endsWith", beginsOrEnds],
  ["contains", contains],
  ["indexOf", find],
  ["lastIndexOf", findLast],
  ["split", split],
  ["join", join],
  ["duration", duration],
  ["timestamp", fixed(40)],
  ["lowerAscii", byLength(0.5)],
  ["upperAscii", byLength(0.5)],
  ["trim", byLength(0.1)],
  ["bytes", byLength(0.5)],
  ["hex", byLength(0.5)],
  ["base64", byLength(0.5)],
  ["string", byLength(1)],
  ["json", json],
  ["double", byLength(0.1)],
  ["int", byLength(0.1)],
  ["uint", byLength(0.1)],
  ["bool", fixed(1)],
]);

/** Charges what the library does with the operands of any call to find its function. */
export function chargeTyping(bill: Bill, given: readonly unknown[]): void {
  for (const value of given) if (typeof value === "object") spend(bill, typingCost(value));
}

/** Charges a comprehension over a map: its keys are listed first. */
export function chargeRange(bill: Bill, range: unknown): void {
  if (typeof range === "object" && range !== null && !Array.isArray(range))
    spend(bill, keysCost(Object.keys(range).length));
}

/** Whether an error is no outcome of the expression. */
export const isExceeding = (error: unknown): error is TooCostly | NeedsThread =>
  error instanceof TooCostly || error instanceof NeedsThread;
