import { all, rowsOf, select, sql } from "../../../db/scoped.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { agentRows, agentVersionRows, trainingJobRows } from "../../agents/shared-rows.ts";
import { datasetRows, gateRows, scorerRows } from "../../evaluations/shared-rows.ts";
import { policyRows } from "../../governance/shared-rows.ts";
import { documentRows, knowledgeBaseRows } from "../../knowledge/shared-rows.ts";
import { workflowRows } from "../../workflows/shared-rows.ts";
import { partKey } from "./plan/calls.ts";
import type { InstallPart, InstallSummary } from "./schemas.ts";
import { listPartsElsewhere, type StoredPart, type WrittenInstall } from "./store.ts";

type PartDrift = InstallPart["drift"];

/** With the install's agent. */
export const placed = (parts: readonly StoredPart[], agent: string | null): (StoredPart & PlacedPart)[] =>
  parts.map((part) => ({ ...part, agent }));

/** Compares a part with its state right after it was made. One that failed or was removed is missing. */
export function partDrift(part: StoredPart & PlacedPart, presentDigests: PresentDigests): PartDrift {
  const now = part.state === "failed" || part.state === "removed" ? null : presentDigests(part);
  if (now === null) return "missing";
  if (part.stands === null) return "unknown";
  return now === part.stands ? "none" : "changed";
}

/** Parts that failed or were removed show in the install's state instead. */
export function driftOf(parts: readonly Pick<InstallPart, "state" | "drift">[]): InstallSummary["drift"] {
  const drifts = parts.filter(({ state }) => state === "made" || state === "kept").map(({ drift }) => drift);
  if (drifts.some((drift) => drift === "changed" || drift === "missing")) return "changed";
  return drifts.includes("unknown") ? "unknown" : "none";
}

// Present digests of the parts of installs: each changes exactly when somebody changes the part.

/** Tools need the agent of their install. */
type PlacedPart = Pick<StoredPart, "kind" | "name" | "id"> & { readonly agent: string | null };

/** Null if the part is gone, archived or retired. */
export type PresentDigests = (part: PlacedPart) => string | null;

type PartDigest = readonly [key: string, digest: string | null];
type Kind = PlacedPart["kind"];
type Named = readonly string[];

const digest = (text: string) => sql<string>`encode(sha256(convert_to(${sql.raw(text)}, 'UTF8')), 'hex')`;
const anyOf = (texts: Named) => sql<string>`any(${texts}::text[])`;

const ofAgents = async (ctx: QueryContext, names: Named): Promise<PartDigest[]> => {
  const agents = select(ctx, agentRows, "a")
    .select(["a.name", digest("a.draft::text || a.labels::text").as("digest")])
    .where("a.archived_at", "is", null)
    .where("a.name", "=", anyOf(names));
  return (await all(ctx, agents)).map((row) => [row.name, row.digest]);
};

/** The newest version that people froze: trained versions are no change. */
const ofVersions = async (ctx: QueryContext, names: Named): Promise<PartDigest[]> => {
  const trained = select(ctx, agentVersionRows, "t")
    .innerJoin(rowsOf(ctx, trainingJobRows, "j"), "j.version_id", "t.id")
    .select("t.id")
    .where("t.agent", "=", anyOf(names));
  const newest = select(ctx, agentVersionRows, "v")
    .distinctOn("v.agent")
    .select(["v.agent", digest("v.definition::text").as("digest")])
    .where("v.agent", "=", anyOf(names))
    .where("v.id", "not in", trained)
    .orderBy("v.agent")
    .orderBy("v.number", "desc");
  return (await all(ctx, newest)).map((row) => [row.agent, row.digest]);
};

/** In the drafts of agents. */
const ofTools = async (ctx: QueryContext, agents: Named): Promise<PartDigest[]> => {
  const tools = select(ctx, agentRows, "a")
    .innerJoinLateral(
      sql<{ tool: { name: string } }>`jsonb_array_elements(a.draft->'tools')`.as<"t">(sql`t(tool)`),
      (join) => join.onTrue(),
    )
    .select(["a.name as agent", sql<string>`t.tool->>'name'`.as("tool"), digest("t.tool::text").as("digest")])
    .where("a.name", "=", anyOf(agents));
  return (await all(ctx, tools)).map((row) => [`${row.agent} ${row.tool}`, row.digest]);
};

const ofBases = async (ctx: QueryContext, names: Named): Promise<PartDigest[]> => {
  const bases = select(ctx, knowledgeBaseRows, "b")
    .select(["b.name", digest("b.description || ' ' || b.language || b.settings::text").as("digest")])
    .where("b.name", "=", anyOf(names));
  return (await all(ctx, bases)).map((row) => [row.name, row.digest]);
};

const documentText =
  "coalesce(string_agg(coalesce(d.external_id, d.title) || ' ' || coalesce(d.digest, d.id), e'\\n' order by d.external_id, d.title, d.digest, d.id), '')";

/** All documents of a base together. */
const ofDocuments = async (ctx: QueryContext, bases: Named): Promise<PartDigest[]> => {
  const documents = select(ctx, knowledgeBaseRows, "b")
    .leftJoin(rowsOf(ctx, documentRows, "d"), "d.base", "b.id")
    .select(["b.name", digest(documentText).as("digest")])
    .where("b.name", "=", anyOf(bases))
    .groupBy("b.name");
  return (await all(ctx, documents)).map((row) => [row.name, row.digest]);
};

/** A dataset changes by new versions. */
const ofDatasets = async (ctx: QueryContext, names: Named): Promise<PartDigest[]> => {
  const datasets = select(ctx, datasetRows, "d").select(["d.id", "d.name", "d.version"]);
  const rows = await all(ctx, datasets.where("d.name", "=", anyOf(names)));
  return rows.map(({ id, name, version }) => [name, `${id}:${version}`]);
};

const ofScorers = async (ctx: QueryContext, names: Named): Promise<PartDigest[]> => {
  const newest = select(ctx, scorerRows, "s")
    .distinctOn("s.name")
    .select(["s.name", digest("s.definition::text || s.samples::text || s.description").as("digest")])
    .where("s.name", "=", anyOf(names))
    .orderBy("s.name")
    .orderBy("s.version", "desc");
  return (await all(ctx, newest)).map((row) => [row.name, row.digest]);
};

const ofGates = async (ctx: QueryContext, agents: Named): Promise<PartDigest[]> => {
  const gates = select(ctx, gateRows, "g").select(["g.agent", digest("g.definition::text").as("digest")]);
  return (await all(ctx, gates.where("g.agent", "=", anyOf(agents)))).map((row) => [row.agent, row.digest]);
};

/** The text of a policy: activating it is no change. */
const ofPolicies = async (ctx: QueryContext, ids: Named): Promise<PartDigest[]> => {
  const newest = select(ctx, policyRows, "p")
    .distinctOn("p.id")
    .select(["p.id", "p.state", digest("p.definition::text || p.name").as("digest")])
    .where("p.id", "=", anyOf(ids))
    .orderBy("p.id")
    .orderBy("p.version", "desc");
  return (await all(ctx, newest)).map((row) => [row.id, row.state === "retired" ? null : row.digest]);
};

const ofWorkflows = async (ctx: QueryContext, names: Named): Promise<PartDigest[]> => {
  const workflows = select(ctx, workflowRows, "w")
    .select(["w.name", digest("w.draft::text").as("digest")])
    .where("w.archived_at", "is", null)
    .where("w.name", "=", anyOf(names));
  return (await all(ctx, workflows)).map((row) => [row.name, row.digest]);
};

/** By kind: what parts are looked up by, and what is compared. */
const readers: Readonly<Record<Kind, (ctx: QueryContext, names: Named) => Promise<PartDigest[]>>> = {
  agent: ofAgents,
  agent_version: ofVersions,
  tool: ofTools,
  knowledge_base: ofBases,
  documents: ofDocuments,
  dataset: ofDatasets,
  scorer: ofScorers,
  gate: ofGates,
  policy: ofPolicies,
  workflow: ofWorkflows,
};

const nameOf = ({ kind, name, id, agent }: PlacedPart): string =>
  kind === "policy" ? (id ?? "") : kind === "tool" ? (agent ?? "") : name;
const keyOf = (part: PlacedPart): string => (part.kind === "tool" ? `${part.agent} ${part.name}` : nameOf(part));

/** One statement for each kind, however many installs. */
export async function readPresentDigests(ctx: QueryContext, parts: readonly PlacedPart[]): Promise<PresentDigests> {
  const kinds = Map.groupBy(parts, ({ kind }) => kind);
  const found = new Map<Kind, ReadonlyMap<string, string | null>>();
  for (const [kind, some] of kinds) found.set(kind, new Map(await readers[kind](ctx, [...new Set(some.map(nameOf))])));
  return (part) => found.get(part.kind)?.get(keyOf(part)) ?? null;
}

/** Adds present digests where none is recorded. A part that an install in another environment made may have changed since: its digest is copied from there. */
export async function withPresentDigests(ctx: QueryContext, install: WrittenInstall): Promise<StoredPart[]> {
  const { parts, agent } = install;
  const unknown = placed(parts, agent).filter(({ state, stands }) => stands === null && state !== "failed");
  if (unknown.length === 0) return [...parts];
  const presentDigests = await readPresentDigests(ctx, unknown);
  const elsewhere = unknown.some(({ state }) => state === "kept") ? await listPartsElsewhere(ctx, install) : [];
  const kept = new Map(elsewhere.map((part) => [partKey(part), part.stands]));
  const known = new Map(
    unknown.map((part) => {
      const before = part.state === "kept" ? kept.get(partKey(part)) : undefined;
      return [partKey(part), before ?? presentDigests(part)];
    }),
  );
  return parts.map((part) => ({ ...part, stands: part.stands ?? known.get(partKey(part)) ?? null }));
}
