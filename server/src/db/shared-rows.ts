import type { Selectable } from "kysely";
import type { Tables } from "./generated/tables.ts";

/** What others may read of a table: these columns. In SQL it stands for the table: `join ${taskRows} t on t.id = …`. */
export class SharedRows<R = unknown> {
  readonly table: keyof Tables;
  readonly columns: readonly string[];
  readonly #sql: string;
  /** Never there: carries the type of a row. */
  declare readonly row?: R;

  constructor(table: keyof Tables, columns: readonly string[]) {
    this.table = table;
    this.columns = columns;
    this.#sql = `(select ${columns.join(", ")} from ${table})`;
  }

  /** A subquery, which PostgreSQL pulls up into the statement around it: it is planned like the table itself. */
  toString(): string {
    return this.#sql;
  }
}

/**
 * Shares columns of a table with other parts of the service, in the `shared-rows.ts` of its owner. PostgreSQL refuses whoever reads another column or writes, so what is not named here the
 * owner may change without looking elsewhere.
 */
export const shareRows = <T extends keyof Tables, const C extends readonly (keyof Selectable<Tables[T]> & string)[]>(
  table: T,
  ...columns: C
): SharedRows<Pick<Selectable<Tables[T]>, C[number]>> => new SharedRows(table, columns);
