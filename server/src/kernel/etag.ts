import { createHash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import type { Fault } from "./errors.ts";

/** One entity tag (RFC 9110 section 8.8.3), without its quotation marks. */
export interface EntityTag {
  readonly weak: boolean;
  readonly value: string;
}

/** What `If-Match` or `If-None-Match` holds: any representation (`*`), or these. */
export type TagList = { readonly any: true } | { readonly any: false; readonly tags: readonly EntityTag[] };

export type TagListResult =
  | { readonly ok: true; readonly list: TagList }
  | { readonly ok: false; readonly fault: Fault };

const MOST_TAGS = 32;
const TAG = /[ \t]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*/y;
const REVISION = /^[A-Za-z0-9_.]+$/;
const REPRESENTATION = /^[a-z0-9]+$/;

/**
 * The strong tag of one representation (`json`, `yaml`, …) of a revision: two representations of one revision differ in their bytes.
 * A revision is a whole number from 0, or a word of letters and digits.
 */
export function strongEtag(revision: number | string, representation: string): string {
  const known =
    typeof revision === "number" ? Number.isSafeInteger(revision) && revision >= 0 : REVISION.test(revision);
  if (!known) throw new RangeError("a revision is a whole number from 0, or a word of letters, digits, `_` and `.`");
  if (!REPRESENTATION.test(representation))
    throw new RangeError("a representation is named by lower-case letters and digits");
  return `"${revision}-${representation}"`;
}

/** A revision of what has no counter: the same exactly for values that say the same. */
export function digestRevision(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 24);
}

/** Reads `If-Match` or `If-None-Match` by the grammar of RFC 9110 section 13.1 and nothing wider. `header` is the name used in the fault. */
export function parseTagList(text: string, header: "If-Match" | "If-None-Match"): TagListResult {
  const refused = (detail: string): TagListResult => ({
    ok: false,
    fault: { header, code: "invalid_entity_tag", detail },
  });
  if (text.trim() === "*") return { ok: true, list: { any: true } };
  const tags: EntityTag[] = [];
  let at = 0;
  for (;;) {
    TAG.lastIndex = at;
    const match = TAG.exec(text);
    if (match === null)
      return refused(
        `${header} must be * or entity tags in quotation marks with commas between, as the ETag header gave them.`,
      );
    tags.push({ weak: match[1] !== undefined, value: match[2]! });
    if (tags.length > MOST_TAGS) return refused(`${header} may hold at most ${MOST_TAGS} entity tags.`);
    at = TAG.lastIndex;
    if (at === text.length) return { ok: true, list: { any: false, tags } };
    if (text[at] !== ",")
      return refused(
        `${header} must be * or entity tags in quotation marks with commas between, as the ETag header gave them.`,
      );
    at++;
  }
}

/**
 * Whether `If-Match` allows a change (RFC 9110 section 13.1.1, strong comparison). `current` is the revision now stored, null when
 * there is none. A tag of any of the `representations` of that revision will do: who read the YAML form may edit by the JSON form.
 */
export function ifMatchHolds(
  list: TagList,
  current: number | string | null,
  representations: readonly string[],
): boolean {
  if (current === null) return false;
  if (list.any) return true;
  const allowed = representations.map((representation) => `${current}-${representation}`);
  return list.tags.some((tag) => !tag.weak && allowed.includes(tag.value));
}

/** Whether `If-None-Match` lets the call go on (RFC 9110 section 13.1.2, weak comparison); otherwise a GET answers 304. */
export function ifNoneMatchHolds(list: TagList, current: string | null): boolean {
  if (current === null) return true;
  if (list.any) return false;
  return !list.tags.some((tag) => `"${tag.value}"` === current);
}
