import { createHash } from "node:crypto";

/** Texts that are named at most; what comes after them is sent without a name, as a text that is made for one call only is. */
const most = 500;
const names = new Map<string, string>();

/** A statement as `pg` takes it. */
export interface NamedStatement {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/**
 * Gives a statement a name by its text, so that a connection parses and plans it once and not at every call: of the short statements of tasks, planning took
 * more than running. For texts that are fixed in the code.
 */
export function named(text: string, values: readonly unknown[]): NamedStatement {
  let name = names.get(text);
  if (name === undefined && names.size < most) {
    name = createHash("sha256").update(text).digest("base64url").slice(0, 22);
    names.set(text, name);
  }
  const statement = { text, values: values as unknown[] };
  return name === undefined ? statement : { ...statement, name };
}
