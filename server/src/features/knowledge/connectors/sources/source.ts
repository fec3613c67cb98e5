import type { SourceAccess } from "../../ports.ts";
import type { KnownItem } from "../item-store.ts";

/** A file as a source holds it. */
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

/** A row. */
export interface RowContents {
  readonly kind: "record";
  readonly title: string;
  readonly text: string | null;
  readonly fields: Record<string, unknown>;
}

/** What reading an item gives. */
export interface ReadItem {
  readonly fingerprint: string;
  /** What the next look needs besides. */
  readonly detail?: unknown;
  /** Null: as it was. */
  readonly contents: FileContents | RowContents | null;
}

/** One thing in a source. */
export interface SourceItem {
  /** What the source calls it, always the same. */
  readonly item: string;
  /** What tells without reading whether it changed; null: only reading does. */
  readonly fingerprint: string | null;
  /** Bytes that reading it takes. */
  readonly size: number;
  /** Throws SourceFault; undefined: it is gone. */
  read(): Promise<ReadItem | undefined>;
}

/** What a source is read with. */
export interface Looking {
  readonly access: SourceAccess;
  readonly signal: AbortSignal;
  /** Headers that carry a stored connection's secret to its own origins. */
  readonly secret: { readonly headers: Readonly<Record<string, string>>; readonly origins: readonly string[] } | null;
  /** Opened credentials of the connector's own; null: it has none. */
  readonly credentials: unknown;
  /** Folders that the operator allowed. */
  readonly folders: readonly string[];
  /** What was brought before. */
  known(items: readonly string[]): Promise<ReadonlyMap<string, KnownItem>>;
  /** What the last sync that completed without a failed item noted; null: nothing. */
  readonly memory: unknown;
  remember(memory: unknown): void;
  /** Says that the source as a whole is as it was. */
  asBefore(): void;
  /** Says that not all of the source was seen, so that nothing counts as vanished. */
  partial(why: string): void;
}

/** All items of a source. Ending without an error and without `partial` means that there are no others. Throws SourceFault. */
export type ListItems<S> = (source: S, looking: Looking) => AsyncIterable<SourceItem>;

/** Bytes of a file that is taken, at most. */
export const MOST_BYTES = 100 * 1_048_576;

/** Whether a path is asked for. */
export interface Selection {
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}
