import { canonicalJson } from "@aos/strict-json";
import { all, rowsOf, select } from "../../../../db/scoped.ts";
import type { QueryContext } from "../../../../kernel/db.ts";
import { findDataset, readPortableItems } from "../../../evaluations/public.ts";
import { DATASET_LIMITS } from "../../../evaluations/schemas.ts";
import { documentDigest } from "../../../knowledge/public.ts";
import { MOST_DOCUMENTS } from "../../../knowledge/schemas.ts";
import { documentRows, knowledgeBaseRows } from "../../../knowledge/shared-rows.ts";
import { type PlannedCall, pagesOf, partKey } from "../plan/calls.ts";
import type { StoredPart } from "../store.ts";

type Json = Readonly<Record<string, unknown>>;

/** An item or a document: its name, if it has one, and a digest of its contents. */
export interface Entry {
  readonly name: string | null;
  readonly says: string;
}

/** By part key; only datasets and bases have any. */
export type Present = ReadonlyMap<string, readonly Entry[]>;

export async function readPresent(ctx: QueryContext, parts: readonly StoredPart[]): Promise<Present> {
  const present = new Map<string, readonly Entry[]>();
  for (const part of parts) {
    if (part.kind === "dataset") present.set(partKey(part), await readItems(ctx, part.name));
    if (part.kind === "documents") present.set(partKey(part), await readDocuments(ctx, part.name));
  }
  return present;
}

async function readItems(ctx: QueryContext, name: string): Promise<Entry[]> {
  const dataset = await findDataset(ctx, name);
  return dataset ? (await readPortableItems(ctx, dataset)).map(itemEntry) : [];
}

async function readDocuments(ctx: QueryContext, base: string): Promise<Entry[]> {
  const documents = select(ctx, documentRows, "d")
    .innerJoin(rowsOf(ctx, knowledgeBaseRows, "b"), "b.id", "d.base")
    .select(["d.external_id", "d.digest"])
    .where("b.name", "=", base);
  return (await all(ctx, documents)).map(({ external_id, digest }) => ({ name: external_id, says: digest ?? "" }));
}

/** Empty members are left out. */
function itemEntry({ item, ...rest }: Json): Entry {
  const said = Object.entries(rest).filter(([, value]) => !isEmpty(value));
  return { name: (item as string | undefined) ?? null, says: canonicalJson(Object.fromEntries(said)) };
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === false || (typeof value === "object" && Object.keys(value as object).length === 0);

const documentEntry = (document: Json): Entry => ({
  name: (document.external_id as string | undefined) ?? null,
  says: documentDigest(document),
});

/** What of the bundle is missing or different, and how many entries are not the bundle's. */
interface Lacking<T> {
  readonly lacking: readonly T[];
  readonly others: number;
}

/** An entry without a name is present if one with the same contents is, whatever its name. */
function lackingOf<T>(wanted: readonly T[], entryOf: (one: T) => Entry, present: readonly Entry[]): Lacking<T> {
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

// Calls that bring an existing part to what a bundle says, as drafts.

type Change = Pick<PlannedCall, "operation" | "params" | "body"> & { readonly ifMatch?: string };

/** Calls that make a part again, and those that made it before, if known. */
export interface Remade {
  readonly calls: readonly PlannedCall[];
  readonly before: readonly PlannedCall[];
  readonly part: StoredPart;
  /** Entries that a dataset or a base has now. */
  readonly present: readonly Entry[];
}

const same = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);
const itemsOf = (calls: readonly PlannedCall[]): Json[] =>
  calls.flatMap(({ body }) => (body as { items: Json[] }).items);
const documentsOf = (calls: readonly PlannedCall[]): Json[] =>
  calls.flatMap(({ body }) => (body as { documents: Json[] }).documents);

const changes: Readonly<Record<PlannedCall["kind"], (remade: Remade) => Change[]>> = {
  knowledge_base: ({ calls: [call], part }) => {
    const { name: _name, ...body } = (call?.body ?? {}) as Json;
    return [{ operation: "knowledge.changeBase", params: { base: part.name }, body }];
  },
  documents: ({ calls, before, part, present }) => {
    const [now, then] = [documentsOf(calls), documentsOf(before)];
    const kept = new Set(now.map(({ external_id }) => external_id));
    const there = new Set(present.map(({ name }) => name));
    const gone = then.flatMap(({ external_id: id }) =>
      id !== undefined && !kept.has(id) && there.has(id as string) ? [{ delete: id }] : [],
    );
    const { lacking } = lackingOf(now, documentEntry, present);
    return pagesOf([...lacking, ...gone], MOST_DOCUMENTS).map((documents) => ({
      operation: "knowledge.addDocuments",
      params: { base: part.name },
      body: { documents },
    }));
  },
  agent: ({ calls: [call], part }) => {
    const { agent: _agent, ...body } = (call?.body ?? {}) as Json;
    const whole = { labels: null, instructions: null, knowledge: null, tools: [], skills: [], ...body };
    return [{ operation: "agents.changeDraft", params: { agent: part.name }, body: whole, ifMatch: "*" }];
  },
  agent_version: ({ calls }) => [...calls],
  tool: ({ calls }) => calls.map((call) => ({ ...call, ifMatch: "*" })),
  dataset: ({ calls, part, present }) =>
    pagesOf(lackingOf(itemsOf(calls), itemEntry, present).lacking, DATASET_LIMITS.itemsOfCall).map((items) => ({
      operation: "evaluations.addItems",
      params: { dataset: part.name },
      body: { items },
    })),
  scorer: ({ calls }) => [...calls],
  gate: ({ calls }) => calls.map((call) => ({ ...call, ifMatch: "*" })),
  policy: ({ calls: [call], part }) => [
    { operation: "governance.replacePolicy", params: { policy: part.id ?? "" }, body: call?.body, ifMatch: "*" },
  ],
  workflow: ({ calls: [call], part }) => [
    { operation: "workflows.replaceDraft", params: { workflow: part.name }, body: call?.body, ifMatch: "*" },
  ],
};

/** Empty if no call could change anything. */
export function changesOf(remade: Remade): PlannedCall[] {
  const [first] = remade.calls;
  if (!first) return [];
  const { kind, name, file, needs, digest } = first;
  return changes[kind](remade).map(({ operation, params, body, ifMatch }) => ({
    kind,
    name,
    file,
    needs,
    digest,
    operation,
    params,
    body,
    id: remade.part.id,
    action: "change",
    ...(ifMatch !== undefined && { ifMatch }),
  }));
}

/** Items or documents added here, which stay. */
export function othersIn({ calls, before, present }: Remade): number {
  const [first] = calls;
  if (first?.kind === "dataset") return lackingOf(itemsOf(calls), itemEntry, present).others;
  if (first?.kind !== "documents") return 0;
  const gone = new Set(documentsOf(before).map(({ external_id }) => external_id));
  const own = present.filter(({ name }) => name === null || !gone.has(name));
  return lackingOf(documentsOf(calls), documentEntry, own).others;
}

/** The archived agent is restored as a draft with the bundle's definition. */
export function restoredAgent(remade: Remade): PlannedCall[] {
  const [change] = changesOf(remade);
  if (!change) return [];
  const { ifMatch: _ifMatch, ...restore } = change;
  return [{ ...restore, operation: "agents.restoreAgent", body: {} }, change];
}

/** Items are never deleted from a dataset, so one that loses items needs a new name. */
export function onlyAdds(before: readonly PlannedCall[], now: readonly PlannedCall[]): boolean {
  const items = itemsOf(now);
  return itemsOf(before).every((old) => items.some((item) => same(item, old)));
}
