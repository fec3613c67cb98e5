import { all, rowsOf, select, sql } from "../../db/scoped.ts";
import type { StoredPart } from "./install-store.ts";
import type { Here } from "./listing-store.ts";

// What parts of installs are now, as digests: each changes exactly where somebody changed the part.

/** A part with the agent of its install, which tools need. */
export type PlacedPart = Pick<StoredPart, "kind" | "name" | "id"> & { readonly agent: string | null };

/** The digest of what a part is now; null: it is gone, archived or retired. */
export type Standings = (part: PlacedPart) => string | null;

type Standing = readonly [key: string, digest: string | null];
type Kind = PlacedPart["kind"];
type Named = readonly string[];

const digest = (text: string) => sql<string>`encode(sha256(convert_to(${sql.raw(text)}, 'UTF8')), 'hex')`;
const anyOf = (texts: Named) => sql<string>`any(${texts}::text[])`;

const ofAgents = async (ctx: Here, names: Named): Promise<Standing[]> => {
  const agents = select(ctx, "agents", "a")
    .select(["a.name", digest("a.draft::text || a.labels::text").as("digest")])
    .where("a.archived_at", "is", null)
    .where("a.name", "=", anyOf(names));
  return (await all(ctx, agents)).map((row) => [row.name, row.digest]);
};

/** The newest version that people froze: trainings make versions of what is there, and are no change. */
const ofVersions = async (ctx: Here, names: Named): Promise<Standing[]> => {
  const trained = select(ctx, "agent_versions", "t")
    .innerJoin(rowsOf(ctx, "training_jobs", "j"), "j.version_id", "t.id")
    .select("t.id")
    .where("t.agent", "=", anyOf(names));
  const newest = select(ctx, "agent_versions", "v")
    .distinctOn("v.agent")
    .select(["v.agent", digest("v.definition::text").as("digest")])
    .where("v.agent", "=", anyOf(names))
    .where("v.id", "not in", trained)
    .orderBy("v.agent")
    .orderBy("v.number", "desc");
  return (await all(ctx, newest)).map((row) => [row.agent, row.digest]);
};

/** Tools as they stand in the drafts of agents. */
const ofTools = async (ctx: Here, agents: Named): Promise<Standing[]> => {
  const tools = select(ctx, "agents", "a")
    .innerJoinLateral(
      sql<{ tool: { name: string } }>`jsonb_array_elements(a.draft->'tools')`.as<"t">(sql`t(tool)`),
      (join) => join.onTrue(),
    )
    .select(["a.name as agent", sql<string>`t.tool->>'name'`.as("tool"), digest("t.tool::text").as("digest")])
    .where("a.name", "=", anyOf(agents));
  return (await all(ctx, tools)).map((row) => [`${row.agent} ${row.tool}`, row.digest]);
};

const ofBases = async (ctx: Here, names: Named): Promise<Standing[]> => {
  const bases = select(ctx, "knowledge_bases", "b")
    .select(["b.name", digest("b.description || ' ' || b.language || b.settings::text").as("digest")])
    .where("b.name", "=", anyOf(names));
  return (await all(ctx, bases)).map((row) => [row.name, row.digest]);
};

const documentText =
  "coalesce(string_agg(coalesce(d.external_id, d.title) || ' ' || coalesce(d.digest, d.id), e'\\n' order by d.external_id, d.title, d.digest, d.id), '')";

/** All documents of bases together. */
const ofDocuments = async (ctx: Here, bases: Named): Promise<Standing[]> => {
  const documents = select(ctx, "knowledge_bases", "b")
    .leftJoin(rowsOf(ctx, "documents", "d"), "d.base", "b.id")
    .select(["b.name", digest(documentText).as("digest")])
    .where("b.name", "=", anyOf(bases))
    .groupBy("b.name");
  return (await all(ctx, documents)).map((row) => [row.name, row.digest]);
};

/** A dataset changes by a new version of its own. */
const ofDatasets = async (ctx: Here, names: Named): Promise<Standing[]> => {
  const datasets = select(ctx, "datasets", "d").select(["d.id", "d.name", "d.version"]);
  const rows = await all(ctx, datasets.where("d.name", "=", anyOf(names)));
  return rows.map(({ id, name, version }) => [name, `${id}:${version}`]);
};

const ofScorers = async (ctx: Here, names: Named): Promise<Standing[]> => {
  const newest = select(ctx, "scorers", "s")
    .distinctOn("s.name")
    .select(["s.name", digest("s.definition::text || s.samples::text || s.description").as("digest")])
    .where("s.name", "=", anyOf(names))
    .orderBy("s.name")
    .orderBy("s.version", "desc");
  return (await all(ctx, newest)).map((row) => [row.name, row.digest]);
};

const ofGates = async (ctx: Here, agents: Named): Promise<Standing[]> => {
  const gates = select(ctx, "gates", "g").select(["g.agent", digest("g.definition::text").as("digest")]);
  return (await all(ctx, gates.where("g.agent", "=", anyOf(agents)))).map((row) => [row.agent, row.digest]);
};

/** The text of a policy, whatever its state: activating it is no change. */
const ofPolicies = async (ctx: Here, ids: Named): Promise<Standing[]> => {
  const newest = select(ctx, "policies", "p")
    .distinctOn("p.id")
    .select(["p.id", "p.state", digest("p.definition::text || p.name").as("digest")])
    .where("p.id", "=", anyOf(ids))
    .orderBy("p.id")
    .orderBy("p.version", "desc");
  return (await all(ctx, newest)).map((row) => [row.id, row.state === "retired" ? null : row.digest]);
};

const ofWorkflows = async (ctx: Here, names: Named): Promise<Standing[]> => {
  const workflows = select(ctx, "workflows", "w")
    .select(["w.name", digest("w.draft::text").as("digest")])
    .where("w.archived_at", "is", null)
    .where("w.name", "=", anyOf(names));
  return (await all(ctx, workflows)).map((row) => [row.name, row.digest]);
};

/** By what parts of a kind are looked up, and what is compared with what comes back. */
const readers: Readonly<Record<Kind, (ctx: Here, names: Named) => Promise<Standing[]>>> = {
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

/** What parts are now, with one statement for each kind, however many installs they are of. */
export async function readStandings(ctx: Here, parts: readonly PlacedPart[]): Promise<Standings> {
  const kinds = Map.groupBy(parts, ({ kind }) => kind);
  const found = new Map<Kind, ReadonlyMap<string, string | null>>();
  // One after the other: in a transaction there is one connection.
  for (const [kind, some] of kinds) found.set(kind, new Map(await readers[kind](ctx, [...new Set(some.map(nameOf))])));
  return (part) => found.get(part.kind)?.get(keyOf(part)) ?? null;
}
