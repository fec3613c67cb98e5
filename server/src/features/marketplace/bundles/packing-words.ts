import { Buffer } from "node:buffer";
import type { Decider } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { type Fault, type Refusal, refuse } from "../../../kernel/errors.ts";
import { insufficientScope, invalidBody } from "../../../kernel/problems.ts";
import { NO_DATA_SAID } from "./contents-evaluation.ts";

/** Files without `bundle.json` and `readme.md`, and the connections that they name. */
export interface Packed {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly connections: readonly string[];
  /** Without those whose work somebody else has confirmed here. */
  readonly deciders: readonly Decider[];
}

/** By dataset: in this submission, and in the version before. */
export interface SaidOfData {
  readonly now: Readonly<Record<string, string>>;
  readonly before: Readonly<Record<string, string>>;
}

export const dataOf = ({ now, before }: SaidOfData, dataset: string): string =>
  now[dataset] ?? before[dataset] ?? NO_DATA_SAID;

export const jsonFile = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
export const linesFile = (values: readonly unknown[]): Buffer =>
  Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(""));

/** For faults that only stored data shows. */
export function invalidSource(faults: readonly Fault[]): Refusal {
  const [first] = faults as readonly [Fault];
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  return refuse(invalidBody, `${first.pointer}: ${first.detail}${more}`, { errors: faults.slice(0, 100) });
}

export const oneInvalid = (pointer: string, code: string, detail: string): Refusal =>
  invalidSource([{ pointer, code, detail }]);

/** Refuses all names without a match at once. */
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

/** Packing reads what it packs: a key with narrowed scopes needs those of the reads too. */
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

/** Lowercase letters, digits and `-`, not in `taken`, to which it is added. */
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
