// Where the values of a call's arguments come from: rule C of decision 0064. A passage counts if one of its fields is an argument, or if a number, or a text of six
// characters or more, of the arguments stands in it, and not in the input of the run. A switch of a record counts for an argument of its name alone: `true` says
// nothing of where it comes from. What a model put otherwise, such as an amount in words, is not found.

export interface Passage {
  readonly value: unknown;
  /** Its leaves are fields, which count whatever their length. */
  readonly isRecord: boolean;
  /** It was read by another run, where a placeholder may stand for another value: any of its kind counts. */
  readonly hasOtherPlaceholders?: boolean;
}

export interface Call {
  readonly arguments: unknown;
  /** With placeholders for personal data, as the run sees them; passages have the same ones. */
  readonly shown: unknown;
  readonly input: unknown;
}

/** Whether a value of the arguments comes from a passage. Takes time in proportion to both. */
export function comparisonOf({ arguments: given, shown, input }: Call): (passage: Passage) => boolean {
  const leaves = leavesOf(given);
  const fragments = leaves.flatMap((leaf) => (typeof leaf === "string" ? fragmentsOf(leaf) : []));
  const wanted = new Set(fragments.flat());
  const own = scan(input, wanted);
  const ownSwitches = switchesOf(input);
  const isOwn = (leaf: Leaf): boolean => own.leaves.has(keyOf(leaf)) || standsIn(leaf, own);
  const isNoOwnNumber = (readings: readonly string[]): boolean => !readings.some((one) => own.numbers.has(one));
  const looked: Looked = {
    fragments: fragments.filter((grams) => !grams.every((one) => own.grams.has(one))),
    numbers: leaves.flatMap(numbersOfArgument).filter(isNoOwnNumber),
    numbersWithin: leaves.flatMap(numbersWithin).filter(isNoOwnNumber),
    switches: new Set([...switchesOf(given)].filter((one) => !ownSwitches.has(one))),
    fields: new Set(leaves.filter((leaf) => !isOwn(leaf)).map(keyOf)),
    placeholders: hiddenIn(shown, given)
      .filter(({ value }) => !isOwn(value))
      .map(({ placeholder }) => placeholder),
  };
  return (passage) => hasAny(passage, looked, wanted);
}

interface Looked {
  readonly fragments: readonly Fragment[];
  /** Each number with all its readings. */
  readonly numbers: readonly (readonly string[])[];
  /** Numbers within ids, paths and words. */
  readonly numbersWithin: readonly (readonly string[])[];
  readonly fields: ReadonlySet<string>;
  readonly switches: ReadonlySet<string>;
  readonly placeholders: readonly string[];
}

function hasAny(passage: Passage, looked: Looked, wanted: ReadonlySet<string>): boolean {
  const { value, isRecord, hasOtherPlaceholders = false } = passage;
  const said = scan(value, wanted);
  const placeholders = hasOtherPlaceholders ? new Set([...said.placeholders].map(kindOf)) : said.placeholders;
  return (
    looked.fragments.some((grams) => grams.every((one) => said.grams.has(one))) ||
    looked.numbers.some((readings) => readings.some((one) => said.numbers.has(one))) ||
    looked.numbersWithin.some((readings) => readings.some((one) => said.wholes.has(one))) ||
    looked.placeholders.some((one) => placeholders.has(hasOtherPlaceholders ? kindOf(one) : one)) ||
    (isRecord && [...said.leaves].some((leaf) => looked.fields.has(leaf))) ||
    (isRecord && looked.switches.size > 0 && [...switchesOf(value)].some((one) => looked.switches.has(one)))
  );
}

type Leaf = string | number;

/** Non-empty texts and numbers of a JSON value, in order. */
function leavesOf(value: unknown, leaves: Leaf[] = []): Leaf[] {
  if (typeof value === "number" || (typeof value === "string" && value.trim() !== "")) leaves.push(value);
  else if (typeof value === "object" && value !== null)
    for (const member of Object.values(value)) leavesOf(member, leaves);
  return leaves;
}

/** Booleans of a JSON value with their names in lower case. */
function switchesOf(value: unknown, name = "", found = new Set<string>()): Set<string> {
  if (typeof value === "boolean") found.add(`${name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")} ${value}`);
  else if (Array.isArray(value)) for (const member of value) switchesOf(member, name, found);
  else if (typeof value === "object" && value !== null)
    for (const [of, member] of Object.entries(value)) switchesOf(member, of, found);
  return found;
}

// Texts, compared by their runs of six characters (grams), in lower case and with single spaces.

const least = 6;

const plain = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

/** Without punctuation, and with groups of digits joined: an IBAN is the same with and without spaces. */
const squeezed = (text: string): string =>
  plain(text)
    .replace(/[^\p{L}\p{N} ]/gu, "")
    .replace(/(?<=\p{N}[\p{L}\p{N}]{0,40}) (?=[\p{L}\p{N}]{0,3}\p{N})/gu, "");

function* gramsIn(text: string): Generator<string> {
  for (let at = 0; at + least <= text.length; at++) yield text.slice(at, at + least);
}

/** A part of an argument by its grams, all of which must be in a passage that it comes from. */
type Fragment = readonly string[];

/** The words of six characters or more, with their parts between punctuation and their digits, or the whole text if it has none. */
function fragmentsOf(leaf: string): Fragment[] {
  const text = plain(leaf);
  const words = [...text.split(/[\s,;:()[\]{}<>"'=|]+/u), ...squeezed(leaf).split(" ")];
  const parts = words.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u), ...(word.match(/\p{N}{6,}/gu) ?? [])]);
  const long = [...new Set(parts)].filter(({ length }) => length >= least);
  const whole = long.length === 0 && text.length >= least ? [text] : long;
  return whole.map((one) => [...gramsIn(one)]);
}

// Numbers, by their digits without signs and leading or trailing zeros: 240, 240.00 and "240,00" are the same.

const digits = /\d+(?:[.,'’\u00a0\u202f ]\d+)*/g;
/** A separate number in an argument's text, not within a date, an id or a word; `EUR240` and `240kg` are numbers. */
const separateNumber = /(?<![\p{L}\p{N}_/:.-])-?(?:[A-Za-z]{3})?(\d+(?:[.,'’\u00a0\u202f ]\d+)*)(?![\p{N}_/:-])/gu;

/** A separate number in a passage: it may follow a colon, a stop or a currency, but not be part of an id. */
const wholeNumber = /(?<![\p{L}\p{N}_/-])-?(?:[A-Za-z]{3})?(\d+(?:[.,'’\u00a0\u202f ]\d+)*)(?![\p{N}_/-])/gu;
/** A run of digits anywhere, in its group; or, without a group, digits that are no amount: of a date, a time, or an id. */
const runWithin = new RegExp(
  [
    /(?<![0-9a-z])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]{2,4}_[0-9a-z]{26})(?![0-9a-z])/,
    /(?<!\d)(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?!\d)/,
    /(?<!\d)\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d\d(?!\d)/,
    /(?<!\d)\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?!\d)/,
    /(?<!\d)(?:19|20)\d\d(?=[-/_.]\d)|(?<=\d[-/_.])(?:19|20)\d\d(?!\d)/,
    /(\d+(?:[.,'’\u00a0\u202f ]\d+)*)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "giu",
);
/** Fewer digits appear in too many ids. */
const leastDigits = 3;

const canonical = (whole: string, fraction = ""): string => {
  const cut = fraction.replace(/0+$/, "");
  return `${whole.replace(/^0+(?=\d)/, "")}${cut === "" ? "" : `.${cut}`}`;
};

/** Readings of digits with separators: separators group thousands, the last one begins a fraction, or they part several numbers. */
function readingsOf(run: string): string[] {
  const parts = run.split(/[^\d]/);
  if (parts.length === 1) return [canonical(run)];
  const [first = "", ...rest] = parts;
  const fraction = /[.,]\d+$/.test(run) ? [canonical(parts.slice(0, -1).join(""), parts.at(-1))] : [];
  const isGrouped = first.length <= 3 && rest.every(({ length }) => length === 3);
  const mixed = rest.slice(0, -1).every(({ length }) => length === 3) ? fraction : [];
  return [...(isGrouped ? [canonical(parts.join(""))] : []), ...mixed];
}

const numberOf = (value: number): string => {
  const [whole = "", fraction] = String(Math.abs(value)).split(".");
  return canonical(whole, fraction);
};

function numbersOfArgument(leaf: Leaf): string[][] {
  if (typeof leaf === "number") return [[numberOf(leaf)]];
  return [...leaf.matchAll(separateNumber)].map(([, run = ""]) => readingsOf(run)).filter(({ length }) => length > 0);
}

/** Each number of a run of digits. Three groups and more between spaces are one id, such as an IBAN or a telephone number. */
function partsOf(run: string): string[][] {
  const readings = readingsOf(run);
  const apart = run.split(/[\u00a0\u202f ]/);
  if (readings.length > 0 || apart.length > 2) return [readings];
  return apart.map(readingsOf);
}

/** The numbers within an argument's text that are long enough to identify their source. */
function numbersWithin(leaf: Leaf): string[][] {
  if (typeof leaf === "number") return [];
  return [...leaf.matchAll(runWithin)]
    .flatMap(([, run]) => (run === undefined ? [] : partsOf(run)))
    .filter((readings) => readings.some((one) => one.replace(/^0|\D/g, "").length >= leastDigits));
}

/** All readings of the digits of a text, together and apart. */
const numbersIn = (text: string): string[] => [...text.matchAll(digits)].flatMap(([run]) => meaningsOf(run));

function meaningsOf(run: string): string[] {
  const apart = run.split(/[\u00a0\u202f ]/).flatMap((one) => {
    const readings = readingsOf(one);
    return readings.length > 0 ? readings : one.split(/[^\d]/).map((part) => canonical(part));
  });
  return [...readingsOf(run), ...apart];
}

interface Said {
  readonly grams: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  /** Those that are no part of an id. */
  readonly wholes: ReadonlySet<string>;
  readonly leaves: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  readonly placeholders: ReadonlySet<string>;
}

const placeholderForm = /\[[a-z_]+_[0-9]+\]/g;
const kindOf = (placeholder: string): string => placeholder.slice(0, placeholder.lastIndexOf("_"));
const keyOf = (leaf: Leaf): string => {
  if (typeof leaf === "number") return `#${numberOf(leaf)}`;
  const [, whole, fraction] = /^-?(\d+)(?:\.(\d+))?$/.exec(leaf.trim()) ?? [];
  return whole === undefined ? plain(leaf) : `#${canonical(whole, fraction)}`;
};

function scan(value: unknown, wanted: ReadonlySet<string>): Said {
  const found = { grams: new Set<string>(), numbers: new Set<string>(), leaves: new Set<string>() };
  const wholes = new Set<string>();
  const words = new Set<string>();
  const placeholders = new Set<string>();
  for (const leaf of leavesOf(value)) {
    found.leaves.add(keyOf(leaf));
    if (typeof leaf === "number") {
      for (const into of [found.numbers, wholes, words]) into.add(numberOf(leaf));
      continue;
    }
    for (const form of new Set([plain(leaf), squeezed(leaf)]))
      for (const gram of gramsIn(form)) if (wanted.has(gram)) found.grams.add(gram);
    for (const one of numbersIn(leaf)) found.numbers.add(one);
    for (const [, run = ""] of leaf.matchAll(wholeNumber)) for (const one of meaningsOf(run)) wholes.add(one);
    for (const word of [...plain(leaf).split(/[^\p{L}\p{N}]+/u), ...squeezed(leaf).split(" ")]) words.add(word);
    for (const [one] of leaf.matchAll(placeholderForm)) placeholders.add(one);
  }
  return { ...found, wholes, words, placeholders };
}

/** Whether a field is in the text, by its words. */
function standsIn(leaf: Leaf, { words, numbers, grams }: Said): boolean {
  if (typeof leaf === "number") return numbers.has(numberOf(leaf));
  const own = squeezed(leaf)
    .split(" ")
    .filter((word) => word !== "");
  const isThere = (word: string): boolean =>
    words.has(word) || (word.length >= least && [...gramsIn(word)].every((one) => grams.has(one)));
  return own.length > 0 && own.every(isThere);
}

/** The placeholders of arguments with their values. */
function hiddenIn(shown: unknown, given: unknown): { placeholder: string; value: Leaf }[] {
  if (typeof shown === "string")
    return typeof given === "string" || typeof given === "number" ? behind(shown, given) : [];
  if (typeof shown !== "object" || shown === null || typeof given !== "object" || given === null) return [];
  return Object.entries(shown).flatMap(([name, member]) => hiddenIn(member, (given as Record<string, unknown>)[name]));
}

function behind(shown: string, given: Leaf): { placeholder: string; value: Leaf }[] {
  const placeholders = shown.match(placeholderForm) ?? [];
  if (typeof given === "number") return placeholders.map((placeholder) => ({ placeholder, value: given }));
  const between = shown.split(placeholderForm);
  let at = between[0]?.length ?? 0;
  return placeholders.map((placeholder, index) => {
    const next = between[index + 1] as string;
    const end = next === "" ? given.length : Math.max(at, given.indexOf(next, at));
    const value = given.slice(at, end);
    at = end + next.length;
    return { placeholder, value };
  });
}
