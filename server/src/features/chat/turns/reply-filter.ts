import { delimiters, findUrl, hostShown, isRelative, type UrlFound } from "./reply-links.ts";

export interface ReplyFilterParts {
  /** In lower case, without ports. */
  readonly hosts: ReadonlySet<string>;
  /** Addresses that may stand exactly as they are, whatever their host. Default: none. */
  readonly addresses?: ReadonlySet<string>;
  /** Restores what placeholders stand for. Default: nothing. */
  readonly restore?: (text: string) => string;
}

/**
 * Keeps links out of a text of a model that lead to other hosts than those that are known, and lets nothing be loaded by it: an image becomes a link, and tags of HTML
 * become text. What a model has read may have instructed it to write a person's data into the address of a link or an image.
 *
 * Works on runs of characters without white space, so that the result does not depend on the pieces in which the text comes: the last run is held back until it is over.
 */
export class ReplyFilter {
  readonly #hosts: ReadonlySet<string>;
  readonly #addresses: ReadonlySet<string>;
  readonly #restore: (text: string) => string;
  #run = "";
  /** The character that ends a removed address which may hold spaces; null: none is being removed. */
  #until: ">" | null = null;
  /** Whether the rest of a run that is too long belongs to an address that was removed. */
  #removing = false;
  #last = "";
  readonly removed = new Set<string>();

  constructor({ hosts, addresses = new Set(), restore = (text) => text }: ReplyFilterParts) {
    this.#hosts = hosts;
    this.#addresses = addresses;
    this.#restore = restore;
  }

  /** Returns what can be sent by now. */
  take(text: string): string {
    let told = "";
    for (const piece of (this.#run + text).match(pieces) ?? []) {
      if (delimiters.test(piece)) told += this.#emit(apart(this.#ended(), this.#until ? "" : piece));
      else told += this.#take(piece);
    }
    return told;
  }

  end(): string {
    const told = this.#emit(this.#ended());
    this.#until = null;
    return told;
  }

  /** Cuts overlong runs at fixed lengths, wherever pieces begin. */
  #take(run: string): string {
    let told = "";
    let rest = run;
    while (rest.length > longestRun) {
      this.#run = rest.slice(0, longestRun);
      told += this.#emit(this.#filtered(true));
      rest = rest.slice(longestRun);
    }
    this.#run = rest;
    return told;
  }

  #ended(): string {
    const filtered = this.#filtered(false);
    this.#removing = false;
    return filtered;
  }

  /** `goesOn`: the run was cut and its rest follows. */
  #filtered(goesOn: boolean): string {
    const run = this.#restore(this.#run).toWellFormed().replaceAll("\0", "\uFFFD");
    this.#run = "";
    if (this.#removing) return "";
    if (this.#until !== null) return this.#skipped(run, goesOn);
    const { text, open } = this.#linksOf(run, goesOn);
    this.#removing = goesOn && open !== "no";
    if (open === "angle") this.#until = ">";
    return goesOn ? `${text} ` : text;
  }

  #skipped(run: string, goesOn: boolean): string {
    const end = run.indexOf(this.#until as string);
    if (end < 0) return "";
    this.#until = null;
    this.#run = run.slice(end + 1).replace(/^\)/, "");
    return this.#filtered(goesOn);
  }

  /** `open`: whether a removed address may go on behind the run. */
  #linksOf(run: string, goesOn: boolean): { text: string; open: "no" | "run" | "angle" } {
    let text = "";
    let rest = run;
    for (;;) {
      const found = findUrl(rest);
      if (!found) return { text: text + plain(rest), open: "no" };
      const before = rest.slice(0, found.start);
      if (this.#mayStand(found, goesOn && found.hostEnd === rest.length)) {
        text += plain(before) + rest.slice(found.start, found.hostEnd);
        rest = rest.slice(found.hostEnd);
        continue;
      }
      const shown = hostShown(found.host);
      this.removed.add(shown);
      const place = before.replace(/<$/, "");
      text += `${plain(place.replace(/\($/, ""))}${place === "" ? "" : separatorOf(place)}[link removed${shown && `: ${shown}`}]`;
      const angle = before.endsWith("<");
      const end = angle ? rest.indexOf(">", found.start) : found.destination ? endOfDestination(rest, found.start) : -1;
      if (end < 0) return { text, open: angle ? "angle" : "run" };
      rest = rest.slice(end + 1).replace(angle && found.destination ? /^\)/ : /^(?!)/, "");
      if (rest !== "") text += " ";
    }
  }

  #mayStand({ host, destination, address }: UrlFound, isCut: boolean): boolean {
    if (isCut) return false;
    if (host !== null) return this.#hosts.has(host) || this.#isKnown(address);
    return destination && isRelative(address);
  }

  /** The signs behind an address that end a sentence or a link carry nothing. */
  #isKnown(address: string): boolean {
    return this.#addresses.has(address) || this.#addresses.has(address.replace(/[)>\]}"'.,;:!?*_]{1,10}$/, ""));
  }

  /** A replacement never makes an image of what stood before it. */
  #emit(text: string): string {
    if (text === "") return "";
    const told = this.#last === "!" && text.startsWith("[") ? ` ${text}` : text;
    this.#last = told.at(-1) as string;
    return told;
  }
}

/** A run and what follows it, with a space where a host would go on: browsers read some signs as a dot or a hyphen, and take others as they are. */
const apart = (run: string, next: string): string =>
  /(?:[/\\]{2}|www\.)[^/?#\s]*$/i.test(run) && /^\S/.test(next) ? `${run} ${next}` : run + next;

const pieces = new RegExp(`${delimiters.source.replace("^", "")}|${delimiters.source.replace("^[", "[^")}`, "gu");
/** Characters of a run at most: a longer one is cut, with a space. */
const longestRun = 4_096;

const separatorOf = (before: string): string => (before.endsWith("](") || /[!\]]$/.test(before) ? " " : "");

/** Where the address in `[text](address)` ends; -1: behind the run. */
function endOfDestination(run: string, start: number): number {
  let depth = 0;
  for (let at = start; at < run.length; at++) {
    if (run[at] === "(") depth++;
    if (run[at] === ")" && depth-- === 0) return at;
  }
  return -1;
}

const tags =
  /<(?=[/!?]?(?:a|area|audio|base|body|button|embed|form|frame|iframe|image|img|input|link|meta|object|picture|script|source|style|svg|table|track|video)(?![a-z0-9]))/gi;
const references =
  /&(?=#|(?:colon|sol|bsol|period|tab|newline|excl|commat|quest|equals|l?sqb|rsqb|lbrack|lpar|rpar);)/gi;

/** Text without what would load an image, and without characters that are written as references: a reader's program would put an address together from them. */
const plain = (text: string): string =>
  text
    .replace(/!+(?=\[)/g, "")
    .replace(tags, "&lt;")
    .replace(references, "&amp;");
