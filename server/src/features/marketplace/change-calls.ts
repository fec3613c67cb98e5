import { canonicalJson } from "@aos/strict-json";
import { DATASET_LIMITS } from "../evaluations/schemas.ts";
import { MOST_DOCUMENTS } from "../knowledge/schemas.ts";
import type { StoredPart } from "./install-store.ts";
import type { PlannedCall } from "./plan.ts";
import { pagesOf } from "./plan-calls.ts";
import { documentEntry, type Entry, itemEntry, lackingOf } from "./present.ts";

// The calls that bring a part which is there to what a bundle says, as drafts.

type Json = Readonly<Record<string, unknown>>;
type Change = Pick<PlannedCall, "operation" | "params" | "body"> & { readonly ifMatch?: string };

/** The calls that make a part anew, and those that made it before, where that is known. */
export interface Remade {
  readonly calls: readonly PlannedCall[];
  readonly before: readonly PlannedCall[];
  readonly part: StoredPart;
  /** What a dataset or a base holds now. */
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
      ...{ operation: "knowledge.addDocuments", params: { base: part.name }, body: { documents } },
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
      ...{ operation: "evaluations.addItems", params: { dataset: part.name }, body: { items } },
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

/** The calls that bring a part to what its calls say. Nothing of it: there is nothing that a call could change. */
export function changesOf(remade: Remade): PlannedCall[] {
  const [first] = remade.calls;
  if (!first) return [];
  const { kind, name, file, needs, digest } = first;
  return changes[kind](remade).map(({ operation, params, body, ifMatch }) => ({
    ...{ kind, name, file, needs, digest, operation, params, body, id: remade.part.id },
    ...{ action: "change", ...(ifMatch !== undefined && { ifMatch }) },
  }));
}

/** How many items or documents were added here, which stay: nobody else has them. */
export function othersIn({ calls, before, present }: Remade): number {
  const [first] = calls;
  if (first?.kind === "dataset") return lackingOf(itemsOf(calls), itemEntry, present).others;
  if (first?.kind !== "documents") return 0;
  const gone = new Set(documentsOf(before).map(({ external_id }) => external_id));
  const own = present.filter(({ name }) => name === null || !gone.has(name));
  return lackingOf(documentsOf(calls), documentEntry, own).others;
}

/** An archived agent comes back as a draft and gets what the bundle says. */
export function restoredAgent(remade: Remade): PlannedCall[] {
  const [change] = changesOf(remade);
  if (!change) return [];
  const { ifMatch: _ifMatch, ...restore } = change;
  return [{ ...restore, operation: "agents.restoreAgent", body: {} }, change];
}

/** Whether a dataset only got more items: what is in a dataset stays there, so that one of which items went needs a new name. */
export function onlyAdds(before: readonly PlannedCall[], now: readonly PlannedCall[]): boolean {
  const items = itemsOf(now);
  return itemsOf(before).every((old) => items.some((item) => same(item, old)));
}
