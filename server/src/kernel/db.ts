import type { Scope } from "./principal.ts";

/** What a store function may do with the database: parameterised SQL text, rows out. Handed out by contexts only. */
export interface Reader {
  query<R extends object>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** One row by key, batched: concurrent calls of one loader in one process share one statement. */
  load<R extends object>(
    loader: Loader<R>,
    scope: { organization: string; environment: string },
    key: string,
  ): Promise<R | undefined>;
}

/** A scope and a handle, for queries: contexts of calls are such, and machines can make one. */
export interface QueryContext {
  readonly scope: Scope;
  readonly db: Pick<Reader, "query">;
}

declare const writing: unique symbol;
/** A handle inside an open transaction; only contexts of changing operations carry one. */
export interface Writer extends Reader {
  readonly [writing]: true;
}

/** A look-up by key. `text` takes organization ($1), environment ($2) and the keys ($3, an array) and answers rows that carry their key as `loader_key`. */
export interface Loader<R extends object> {
  readonly name: string;
  readonly text: string;
  /** Never called: carries the row type. */
  readonly row?: R;
}

/** Declares a batched look-up. */
export function defineLoader<R extends object>(name: string, text: string): Loader<R> {
  return { name, text };
}
