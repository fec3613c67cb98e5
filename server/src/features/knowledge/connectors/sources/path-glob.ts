import { RE2JSException, RE2Set } from "re2js";

// Patterns of paths as people write them for files, matched in linear time: an engine that backtracks takes seconds for seven stars.

export class GlobRefused extends Error {}

/** Characters of the patterns of a list together: with them a path of 1,000 characters takes 50 ms at worst. */
const MOST_CHARACTERS = 4_000;
const MOST_LEVELS = 4;
/** Bytes of the automaton that is built while paths are matched; a larger one takes longer to build than matching without it. */
const AUTOMATON_BYTES = 262_144;

/**
 * Whether a path, without a slash at its beginning, matches one of the patterns: `*` any characters of a name, `?` one, `[a-z]` and `[!a-z]` one of a set, `**`
 * any folders, `{a,b}` one of several; a name that begins with a dot must be written out. Throws GlobRefused.
 */
export function compileGlobs(patterns: readonly string[]): (place: string) => boolean {
  if (patterns.join("").length > MOST_CHARACTERS)
    throw new GlobRefused(
      `are too long: together they may have ${MOST_CHARACTERS} characters; use fewer or shorter ones`,
    );
  const set = new RE2Set(RE2Set.ANCHOR_BOTH, 0, AUTOMATON_BYTES);
  try {
    for (const pattern of patterns) set.add(new Translation(pattern.replace(/^\//, "")).text);
    set.compile();
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new GlobRefused("is no pattern that paths can be compared with; write it with *, **, ?, [a-z] and {a,b}");
  }
  return (place) => set.match(place).length > 0;
}

/** Null: accepted, or not a list of texts. */
export function globsRefusal(patterns: unknown): string | null {
  if (!Array.isArray(patterns) || !patterns.every((one) => typeof one === "string")) return null;
  try {
    compileGlobs(patterns);
    return null;
  } catch (error) {
    if (error instanceof GlobRefused) return error.message;
    throw error;
  }
}

const NOT_HIDDEN = "[^/.]";
const ANY = "[^/]";
const FOLDER = `${NOT_HIDDEN}${ANY}*`;
const NOTHING = "[^\\x00-\\x{10FFFF}]";

/** Whether a part stands at the beginning of a name; `star`: behind a star that stands for nothing there, so that a dot is not written out. */
type Start = boolean | "star";

class Translation {
  readonly text: string;
  readonly #pattern: string;
  #at = 0;
  #levels = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.text = this.#sequence(true, false);
  }

  /** What stands up to the end, within braces up to their comma or end. */
  #sequence(atStart: Start, inBraces: boolean): string {
    let text = "";
    let start: Start = atStart;
    while (this.#at < this.#pattern.length) {
      const sign = String.fromCodePoint(this.#pattern.codePointAt(this.#at) as number);
      if (inBraces && (sign === "," || sign === "}")) break;
      text += this.#part(sign, start);
      start = this.#pattern[this.#at - 1] === "/";
    }
    return text;
  }

  #part(sign: string, start: Start): string {
    const pattern = this.#pattern;
    if ("!@+*?".includes(sign) && pattern[this.#at + 1] === "(")
      throw new GlobRefused(`holds \`${sign}(\`, which is not known here; write {a,b}, or several patterns`);
    if (sign === "*" || sign === "?") return this.#wild(start);
    this.#at += sign.length;
    if (sign === "[") return this.#class(start);
    if (sign === "{") return this.#braces(start);
    if (sign === "\\") return escaped(pattern[this.#at++] ?? "\\");
    return start === "star" && sign === "." ? NOTHING : escaped(sign);
  }

  /** A run of stars and question marks: so many characters, or so many and more. */
  #wild(start: Start): string {
    const run = /^[*?]+/.exec(this.#pattern.slice(this.#at))?.[0] as string;
    this.#at += run.length;
    const next = this.#pattern[this.#at];
    const wholeName = start && (next === undefined || next === "/");
    if (run === "**" && wholeName) {
      if (next === undefined) return `${FOLDER}(?:/${FOLDER})*`;
      this.#at++;
      return `(?:${FOLDER}/)*`;
    }
    const least = run.replaceAll("*", "").length;
    const more = run.includes("*") ? `${ANY}*` : "";
    if (!start) return ANY.repeat(least) + more;
    if (least > 0) return NOT_HIDDEN + ANY.repeat(least - 1) + more;
    if (wholeName || next === ".") return FOLDER;
    return next === "[" || next === "{" ? this.#behindStar(next) : `(?:${FOLDER})?`;
  }

  /** A star at the beginning of a name, and the set or choice behind it: another one where the star stands for nothing. */
  #behindStar(sign: "[" | "{"): string {
    const from = this.#at;
    const later = this.#part(sign, false);
    this.#at = from;
    return `(?:${FOLDER}${later}|${this.#part(sign, "star")})`;
  }

  #class(start: Start): string {
    const found = /^(!|\^)?(\]?(?:\\.|[^\]/\\])*)\]/.exec(this.#pattern.slice(this.#at));
    if (!found?.[2]) return "\\[";
    if (/\[[:.=]/.test(found[2])) throw new GlobRefused("holds a named class; write its characters out: [a-zA-Z]");
    this.#at += found[0].length;
    const members = found[2].replaceAll(/\\(.)|([[\]^])/gu, (_, one?: string, two?: string) =>
      escaped(one ?? two ?? ""),
    );
    return found[1] ? `[^/${start ? "." : ""}${members}]` : `[${members}]`;
  }

  #braces(start: Start): string {
    const inside = this.#closing();
    if (inside === undefined) return "\\{";
    if (/^[^,{}]*\.\.[^,{}]*$/.test(inside)) throw new GlobRefused("holds a range in braces; write it out: {1,2,3}");
    if (!inside.includes(",")) return "\\{";
    if (++this.#levels > MOST_LEVELS)
      throw new GlobRefused(`holds braces in one another beyond ${MOST_LEVELS} levels; write several patterns`);
    const ways: string[] = [];
    do {
      ways.push(this.#sequence(start, true));
    } while (this.#pattern[this.#at++] === ",");
    this.#levels--;
    return `(?:${ways.join("|")})`;
  }

  /** What stands up to the brace that ends the one before; undefined: none does. */
  #closing(): string | undefined {
    let open = 1;
    for (let at = this.#at; at < this.#pattern.length; at++) {
      const sign = this.#pattern[at];
      if (sign === "\\") at++;
      else if (sign === "{") open++;
      else if (sign === "}" && --open === 0) return this.#pattern.slice(this.#at, at);
    }
    return undefined;
  }
}

const escaped = (sign: string): string => (/[\w/]/u.test(sign) ? sign : `\\x{${sign.codePointAt(0)?.toString(16)}}`);
