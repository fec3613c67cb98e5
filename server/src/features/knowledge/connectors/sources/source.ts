import { type SourceAccess, SourceFault } from "../../ports.ts";
import type { KnownItem } from "../item-store.ts";
import { compileGlobs, GlobRefused } from "./path-glob.ts";

export interface FileContents {
  readonly kind: "file";
  readonly title: string | null;
  readonly file_name: string | null;
  /** Null: by the name. */
  readonly media_type: string | null;
  readonly bytes: Uint8Array;
  readonly url: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface RowContents {
  readonly kind: "record";
  readonly title: string;
  readonly text: string | null;
  readonly fields: Record<string, unknown>;
  readonly url?: string | null;
}

export interface ReadItem {
  readonly fingerprint: string;
  readonly detail?: unknown;
  /** Null: as it was. */
  readonly contents: FileContents | RowContents | null;
}

export interface SourceItem {
  readonly item: string;
  /** Null: only reading tells whether it changed. */
  readonly fingerprint: string | null;
  readonly size: number;
  /** Throws SourceFault; undefined: it is gone. */
  read(): Promise<ReadItem | undefined>;
}

/** What a source leaves out by rule, by what it is in the plural, such as `submodules`. */
export type LeftOut = Record<string, { count: number; readonly some: string[] }>;

export function leaveOut(list: LeftOut, what: string, item: string): void {
  const found = list[what] ?? { count: 0, some: [] };
  list[what] = found;
  found.count++;
  if (found.some.length < 3) found.some.push(item.slice(0, 200));
}

/** Null: nothing. */
export function leftOutText(list: LeftOut | undefined): string | null {
  const kinds = Object.entries(list ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = kinds.map(([what, { count, some }]) => {
    const more = count > some.length ? ", …" : "";
    return `${what} (${count}): ${some.join(", ")}${more}`;
  });
  return parts.length === 0 ? null : `Left out: ${parts.join("; ")}.`;
}

export interface SourceReading {
  readonly access: SourceAccess;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  now(): number;
  readonly secret: { readonly headers: Readonly<Record<string, string>>; readonly origins: readonly string[] } | null;
  /** Null: none of its own. */
  readonly credentials: unknown;
  readonly folders: readonly string[];
  known(items: readonly string[]): Promise<ReadonlyMap<string, KnownItem>>;
  /** The note of the last clean sync. */
  readonly memory: unknown;
  remember(memory: unknown): void;
  /** The source as a whole did not change. */
  asBefore(): void;
  /** Not all of the source was seen, so nothing counts as vanished. */
  partial(why: string): void;
  /** Only what changed was listed: of what was not, only items that are reported as `gone` vanished. */
  onlyChanges(): void;
  gone(item: string): void;
  /** Before anything is removed the source is listed once more, and what that finds stays. */
  listAgain(names: () => AsyncIterable<string>): void;
  /** What the source leaves out by rule. It may still grow after the listing. */
  leftOut(list: LeftOut): void;
}

export const MOST_BYTES = 100 * 1_048_576;

export interface Selection {
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

const selections = new WeakMap<Selection, (place: string) => boolean>();

export function isSelected(place: string, selection: Selection): boolean {
  let selects = selections.get(selection);
  if (!selects) {
    selects = compileSelection(selection);
    selections.set(selection, selects);
  }
  return selects(place);
}

function compileSelection({ include = [], exclude = [] }: Selection): (place: string) => boolean {
  const [included, excluded] = [compileList("include", include), compileList("exclude", exclude)];
  return (place) => (include.length === 0 || included(place)) && !excluded(place);
}

function compileList(name: string, patterns: readonly string[]): (place: string) => boolean {
  try {
    return compileGlobs(patterns);
  } catch (error) {
    if (!(error instanceof GlobRefused)) throw error;
    throw new SourceFault("pattern_refused", `A pattern in ${name} ${error.message}.`);
  }
}
