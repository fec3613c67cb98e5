import { Buffer } from "node:buffer";
import type { Decider } from "../../kernel/actor.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { type Fault, type Refusal, refuse } from "../../kernel/errors.ts";
import { insufficientScope, invalidBody } from "../../kernel/problems.ts";
import { NO_DATA_SAID } from "./contents-evaluation.ts";

// What the files that are packed share.

/** What is packed of a source: its files without `bundle.json` and `readme.md`, and the connections that it names. */
export interface Packed {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly connections: readonly string[];
  /** Who decided what is packed, as far as nobody else has looked at it here. */
  readonly deciders: readonly Decider[];
}

/** What publishers say of their datasets, by name: now, and of the version before. */
export interface SaidOfData {
  readonly now: Readonly<Record<string, string>>;
  readonly before: Readonly<Record<string, string>>;
}

/** What data a dataset is. */
export const dataOf = ({ now, before }: SaidOfData, dataset: string): string =>
  now[dataset] ?? before[dataset] ?? NO_DATA_SAID;

export const jsonFile = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
export const linesFile = (values: readonly unknown[]): Buffer =>
  Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(""));

/** Refuses a body whose faults only stored data can tell. */
export function invalidSource(faults: readonly Fault[]): Refusal {
  const [first] = faults as readonly [Fault];
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  return refuse(invalidBody, `${first.pointer}: ${first.detail}${more}`, { errors: faults.slice(0, 100) });
}

/** The fault of one place of a body. */
export const oneInvalid = (pointer: string, code: string, detail: string): Refusal =>
  invalidSource([{ pointer, code, detail }]);

/** What is found for each name of a body; refuses all names for which nothing is found at once. */
export async function findAll<T>(
  names: readonly string[],
  pointer: string,
  find: (name: string) => Promise<T | undefined>,
  fault: { readonly code: string; readonly detail: string },
): Promise<T[]> {
  const found: T[] = [];
  const faults: Fault[] = [];
  for (const [at, name] of names.entries()) {
    const one = await find(name);
    if (one === undefined) faults.push({ pointer: `${pointer}/${at}`, ...fault });
    else found.push(one);
  }
  if (faults.length > 0) throw invalidSource(faults);
  return found;
}

/** Packing reads what it packs: a key that is narrowed to scopes needs those of the reads, too. */
export function requireScopes(
  { principal: { scopes } }: Pick<WriteContext, "principal">,
  needed: readonly string[],
): void {
  const missing = scopes === null ? undefined : needed.find((scope) => !scopes.includes(scope));
  if (missing === undefined) return;
  throw refuse(insufficientScope, `Packing reads what goes along: the key needs the scope ${missing} as well.`, {
    stage: "permissions",
    members: { missing_scope: missing },
  });
}

/** A name as a file's: lowercase letters, digits and `-`, not in `taken`, to which it is added. */
export function fileNameOf(name: string, taken: Set<string>): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
  const word =
    plain
      .replaceAll(/^-+|-+$/g, "")
      .slice(0, 60)
      .replace(/-+$/, "") || "policy";
  let free = word;
  for (let n = 2; taken.has(free); n++) free = `${word}-${n}`;
  taken.add(free);
  return free;
}
