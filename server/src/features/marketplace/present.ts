import { canonicalJson } from "@aos/strict-json";
import { all, rowsOf, select } from "../../db/scoped.ts";
import { findDataset, readPortableItems } from "../evaluations/public.ts";
import { documentDigest } from "../knowledge/public.ts";
import type { StoredPart } from "./install-store.ts";
import type { Here } from "./listing-store.ts";
import { partKey } from "./plan.ts";

// What datasets and bases hold now, so that a change adds only what they lack.

type Json = Readonly<Record<string, unknown>>;

/** An item or a document: its name, where it has one, and a digest of what it says. */
export interface Entry {
  readonly name: string | null;
  readonly says: string;
}

/** What the datasets and bases of an install hold, by the keys of their parts. Other parts have none. */
export type Present = ReadonlyMap<string, readonly Entry[]>;

export async function readPresent(ctx: Here, parts: readonly StoredPart[]): Promise<Present> {
  const present = new Map<string, readonly Entry[]>();
  for (const part of parts) {
    if (part.kind === "dataset") present.set(partKey(part), await readItems(ctx, part.name));
    if (part.kind === "documents") present.set(partKey(part), await readDocuments(ctx, part.name));
  }
  return present;
}

async function readItems(ctx: Here, name: string): Promise<Entry[]> {
  const dataset = await findDataset(ctx, name);
  return dataset ? (await readPortableItems(ctx, dataset)).map(itemEntry) : [];
}

async function readDocuments(ctx: Here, base: string): Promise<Entry[]> {
  const documents = select(ctx, "documents", "d")
    .innerJoin(rowsOf(ctx, "knowledge_bases", "b"), "b.id", "d.base")
    .select(["d.external_id", "d.digest"])
    .where("b.name", "=", base);
  return (await all(ctx, documents)).map(({ external_id, digest }) => ({ name: external_id, says: digest ?? "" }));
}

/** An item of a dataset. What it leaves out is empty. */
export function itemEntry({ item, ...rest }: Json): Entry {
  const said = Object.entries(rest).filter(([, value]) => !isEmpty(value));
  return { name: (item as string | undefined) ?? null, says: canonicalJson(Object.fromEntries(said)) };
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === false || (typeof value === "object" && Object.keys(value as object).length === 0);

export const documentEntry = (document: Json): Entry => ({
  name: (document.external_id as string | undefined) ?? null,
  says: documentDigest(document),
});

/** What of a bundle is not there as it says, and how many there are that it does not name. */
export interface Lacking<T> {
  readonly lacking: readonly T[];
  readonly others: number;
}

/** Compares what a bundle says with what is there. One without a name is there if one with the same contents is, whatever that is called. */
export function lackingOf<T>(wanted: readonly T[], entryOf: (one: T) => Entry, present: readonly Entry[]): Lacking<T> {
  const entries = wanted.map((one) => ({ one, entry: entryOf(one) }));
  const names = new Set(entries.flatMap(({ entry }) => entry.name ?? []));
  const named = new Map(present.flatMap((entry) => (entry.name === null ? [] : [[entry.name, entry.says]])));
  const free = new Map<string, number>();
  for (const { name, says } of present)
    if (name === null || !names.has(name)) free.set(says, (free.get(says) ?? 0) + 1);
  const lacking = entries.filter(({ entry: { name, says } }) => {
    if (name !== null) return named.get(name) !== says;
    const left = free.get(says) ?? 0;
    if (left > 0) free.set(says, left - 1);
    return left === 0;
  });
  return { lacking: lacking.map(({ one }) => one), others: [...free.values()].reduce((sum, left) => sum + left, 0) };
}
