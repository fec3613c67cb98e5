import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** A fault to plant: one piece of a file's text replaced by another, and the tests that should fail then. */
export interface Fault {
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Must be in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** Test files. */
  readonly tests: readonly string[];
  /** A pattern of test titles, where the files hold many others. */
  readonly only?: string;
}

/** The text of a file with its fault. */
export function planted(text: string, { find, replace }: Fault): string {
  return text.split(find).join(replace);
}

/** Why a fault no longer fits the source below a folder; null: it does. */
export function misfit({ name, file, find, tests }: Fault, root: string): string | null {
  const missing = [file, ...tests].find((one) => !existsSync(path.join(root, one)));
  if (missing !== undefined) return `${name}: there is no ${missing}; update scripts/faults/`;
  const times = readFileSync(path.join(root, file), "utf8").split(find).length - 1;
  return times === 1 ? null : `${name}: ${file} has the text that it replaces ${times} times; update scripts/faults/`;
}
