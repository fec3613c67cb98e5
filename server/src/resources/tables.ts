import type { Tables } from "../db/generated/tables.ts";
import type { CallContext, WriteContext } from "../kernel/context.ts";
import type { Exempt } from "../kernel/operation.ts";

// Every table has one owner, which says how long its rows are kept (decision 0071) and what personal data they hold. `server/test/tables.test.ts` walks all of them.

/** Any table of the schema. */
export type AnyTable = keyof Tables;
type ColumnOf<T extends AnyTable> = keyof Tables[T] & string;

/** How long rows are kept. */
export type Keeping =
  /** For ever: a proof, a verdict or a score rests on them. */
  | { readonly kind: "evidence"; readonly text: string }
  /** Until people delete them, or what they belong to. */
  | { readonly kind: "until removed"; readonly text: string }
  /** For a time; `sweep` names what deletes them then, and `setting` the setting of the environment that says how long, if one does. */
  | { readonly kind: "for a time"; readonly text: string; readonly sweep: string; readonly setting: string | null }
  /** Until the work is done that they serve. */
  | { readonly kind: "passing"; readonly text: string };

/** Kept for ever; `text` says what rests on the rows. */
export const evidence = (text: string): Keeping => ({ kind: "evidence", text });
/** Kept until removed; `text` says what removes them. */
export const untilRemoved = (text: string): Keeping => ({ kind: "until removed", text });
/** Deleted by a sweep after a time; `setting` is such as `retention.deliveries_days`, or null where the time stands in the text. */
export const keptFor = (text: string, sweep: string, setting: string | null = null): Keeping => ({
  kind: "for a time",
  text,
  sweep,
  setting,
});
/** Deleted by whoever does the work that they serve, which `text` names. */
export const passing = (text: string): Keeping => ({ kind: "passing", text });

/** Tasks that have ended and whose contents are erased on request. */
export interface ErasedWork {
  readonly tasks: readonly string[];
  /** Texts that tools of the tasks were called with, such as what was searched for; redacted as they are stored elsewhere. */
  readonly texts: readonly string[];
}

/** Erases what the owner's tables hold of the work. */
export type EraseWork = (
  ctx: Pick<WriteContext, "scope" | "db"> & Pick<CallContext, "seals">,
  work: ErasedWork,
) => Promise<void>;

/** Which columns may hold personal data, and how it is erased. */
export interface PersonalData {
  readonly columns: readonly string[];
  readonly erased: Erasing;
}

export type Erasing =
  /** By the owner, wherever the contents of tasks are erased. */
  | { readonly kind: "with work"; readonly erase: EraseWork }
  /** With the row of another table that it belongs to. */
  | { readonly kind: "with table"; readonly table: AnyTable }
  /** By an operation, by its id. */
  | { readonly kind: "by operation"; readonly operation: string }
  /** Not before the rows themselves go, for a reason. */
  | { readonly kind: "with the row"; readonly text: string };

/** Erased by a function of the owner wherever the contents of tasks are erased. */
export const erasedWithWork = (erase: EraseWork): Erasing => ({ kind: "with work", erase });
/** Erased with the rows of another table that these belong to. */
export const erasedWith = (table: AnyTable): Erasing => ({ kind: "with table", table });
/** Erased by an operation (`admin.removeMember`). */
export const erasedBy = (operation: string): Erasing => ({ kind: "by operation", operation });
/** Erased only when the row goes; `text` says why, such as that it names the people who decided, which the log needs. */
export const erasedWithRow = (text: string): Erasing => ({ kind: "with the row", text });

/** What the owner of a table says of it. */
export interface TableWords<T extends AnyTable = AnyTable> {
  readonly keeps: Keeping;
  readonly personal: Exempt | { readonly columns: readonly ColumnOf<T>[]; readonly erased: Erasing };
}

declare const owning: unique symbol;
/** A table in the hands of its owner: `ownTables` alone makes it. */
export interface OwnedTable<T extends AnyTable = AnyTable> {
  readonly [owning]: true;
  readonly table: T;
  readonly keeps: Keeping;
  readonly personal: Exempt | PersonalData;
}

/** The tables of one owner, by name. */
export class OwnedTables {
  readonly tables: readonly OwnedTable[];
  constructor(tables: readonly OwnedTable[]) {
    this.tables = tables;
  }
}

type Owned<T extends AnyTable> = OwnedTables & { readonly [N in T]: OwnedTable<N> };

/**
 * Declares the tables of a resource, in its `resource.ts`: `export const owned = ownTables({ webhooks: { keeps: …, personal: … } })`. A part of the service that is no
 * slice has a `tables.ts`. No table has two owners.
 */
export function ownTables<T extends AnyTable>(words: { readonly [N in T]: TableWords<N> }): Owned<T> {
  const tables = Object.entries(words as unknown as Readonly<Record<string, TableWords>>).map(
    ([table, said]) => ({ table, ...said }) as unknown as OwnedTable,
  );
  return Object.assign(new OwnedTables(tables), Object.fromEntries(tables.map((one) => [one.table, one]))) as Owned<T>;
}
