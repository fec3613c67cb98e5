import type { Work } from "./findings.ts";
import type { RuleId } from "./rules.ts";
import { SENTENCE, type Words } from "./words.ts";

/**
 * A phrase is written as slots with gaps: `ignore|forget ~3 instruction*|rules` is one of two words, up to three others, then one of the last. `word*` is a
 * beginning, `@url` an address, `@mail` a mailbox. Gaps do not reach over the end of a sentence. A phrase is matched slot by slot over the sets of
 * places that are possible, so that its work is bounded by its slots and gaps, whatever the text.
 */
export interface Phrase {
  readonly rule: RuleId;
  readonly slots: readonly Slot[];
  /** Whether honest texts say it too: a note outside prompts. */
  readonly isMild: boolean;
}

interface Slot {
  readonly gap: number;
  readonly exact: ReadonlySet<string>;
  readonly beginnings: readonly string[];
}

export interface Match {
  readonly rule: RuleId;
  readonly isMild: boolean;
  /** Indices of words. */
  readonly first: number;
  readonly last: number;
}

/** Reads one phrase a line. */
export function phrases(rule: RuleId, lines: string): Phrase[] {
  return lines
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => ({ rule, slots: slotsOf(line), isMild: false }));
}

function slotsOf(line: string): Slot[] {
  const slots: Slot[] = [];
  let gap = 0;
  for (const token of line.split(/\s+/)) {
    if (/^~\d+$/.test(token)) {
      gap = Number(token.slice(1));
      continue;
    }
    const words = token.split("|");
    const beginnings = words.filter((word) => word.endsWith("*")).map((word) => word.slice(0, -1));
    slots.push({ gap, exact: new Set(words.filter((word) => !word.endsWith("*"))), beginnings });
    gap = 0;
  }
  return slots;
}

const fits = ({ exact, beginnings }: Slot, word: string): boolean =>
  exact.has(word) || beginnings.some((beginning) => word.startsWith(beginning));

/** Phrases by the first two letters of their first word, so that a word costs one look-up. */
export class PhraseBook {
  private readonly byStart = new Map<string, Phrase[]>();

  constructor(all: readonly Phrase[]) {
    for (const phrase of all) {
      const { exact, beginnings } = phrase.slots[0]!;
      for (const start of new Set([...exact, ...beginnings].map((word) => word.slice(0, 2))))
        this.byStart.set(start, [...(this.byStart.get(start) ?? []), phrase]);
    }
  }

  /** Where phrases stand in the words, in order of their first word. */
  matches({ words }: Pick<Words, "words">, work: Work): Match[] {
    const found: Match[] = [];
    for (let at = 0; at < words.length; at++) {
      const candidates = this.byStart.get(words[at]!.slice(0, 2));
      work.steps++;
      if (candidates === undefined) continue;
      for (const { rule, slots, isMild } of candidates) {
        work.steps++;
        const last = fits(slots[0]!, words[at]!) ? lastOf(slots, words, at, work) : -1;
        if (last >= 0) found.push({ rule, isMild, first: at, last });
      }
    }
    return found;
  }
}

function lastOf(slots: readonly Slot[], words: readonly string[], at: number, work: Work): number {
  let places = [at];
  for (const slot of slots.slice(1)) {
    const next: number[] = [];
    for (const place of places) {
      for (let to = place + 1; to <= place + 1 + slot.gap && to < words.length; to++) {
        work.steps++;
        if (words[to] === SENTENCE && !slot.exact.has(SENTENCE)) break;
        if (fits(slot, words[to]!) && (next.at(-1) ?? -1) < to) next.push(to);
      }
    }
    if (next.length === 0) return -1;
    places = next;
  }
  return places[0]!;
}
