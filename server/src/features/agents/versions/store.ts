import { first, insert } from "../../../db/scoped.ts";
import { type Decider, storableDeciders } from "../../../kernel/actor.ts";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import { defineLoader, type Reader } from "../../../kernel/db.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Environment } from "../../../kernel/principal.ts";
import { gateVerdictRows } from "../../evaluations/shared-rows.ts";
import { noVersion } from "../errors.ts";
import { agentFacts } from "../facts.ts";
import type { AgentDefinition } from "../schemas.ts";
import { insertModels, type NewModels } from "../training/model-store.ts";
import type { TrainingRow } from "../training/store.ts";
import { insertFingerprints } from "../trust/evidence-store.ts";
import { evidenceFacts } from "../trust/facts.ts";

/** A version as it was frozen. */
export interface VersionRow {
  id: string;
  agent: string;
  number: number;
  definition: AgentDefinition;
  /** Null if it was frozen before digests were kept. */
  digest: string | null;
}

// Versions belong to the organization: the environment narrows nothing.
const versionById = defineLoader<VersionRow>(
  "agent version by id",
  `select id as loader_key, id, agent, number, definition, digest from agent_versions where organization = $1 and $2::text is not null and id = any($3::text[])`,
);

/** Deployed or not: a task may pin it. */
export async function findVersion(
  ctx: CallContext & { db: Reader },
  versionId: string,
): Promise<VersionRow | undefined> {
  return ctx.db.load(versionById, ctx.scope, versionId);
}

/** For a machine that knows only its id. */
export async function findDefinition(
  db: Statements,
  organization: string,
  versionId: string,
): Promise<AgentDefinition | undefined> {
  const rows = await db.query<{ definition: AgentDefinition }>(
    "select definition from agent_versions where organization = $1 and id = $2",
    [organization, versionId],
  );
  return rows[0]?.definition;
}

/** A training job as its version shows it. */
export interface VersionTrainingRow extends Pick<TrainingRow, "id" | "skill" | "method" | "base_number" | "report"> {
  environment: Environment;
}

/** With what the environment knows of it. `definition` is null in lists that need only the digest. */
export interface VersionRecord {
  id: string;
  agent: string;
  number: number;
  note: string;
  author: string;
  created_at: Date;
  based_on: number | null;
  digest: string | null;
  /** Null: people wrote it. */
  training: VersionTrainingRow | null;
  definition: AgentDefinition | null;
  verdict: "open" | "failed" | "inconclusive" | null;
  reasons: string[] | null;
  expires_at: Date | null;
  deployed: boolean;
}

/** Takes organization ($1), environment ($2) and agent ($3). */
const versionsOf = (definition: string): string => `
  select v.id, v.agent, v.number, v.note, v.author, v.created_at, v.based_on, v.digest, ${definition} as definition,
    g.verdict, g.reasons, g.expires_at, d.id is not null as deployed,
    (select json_build_object('id', j.id, 'environment', j.environment, 'skill', j.skill, 'method', j.method, 'base_number', j.base_number, 'report', j.report)
     from training_jobs j where j.organization = v.organization and j.version_id = v.id order by j.created_at limit 1) as training
  from agent_versions v
  left join ${gateVerdictRows} g on g.organization = v.organization and g.environment = $2 and g.version_id = v.id
  left join deployments d
    on d.organization = v.organization and d.environment = $2 and d.agent = v.agent and d.version_number = v.number and d.state = 'live'
  where v.organization = $1 and v.agent = $3`;

/** Newest first. */
export async function listVersionRecords(
  ctx: CallContext & { db: Reader },
  agent: string,
  page: PageRequest,
): Promise<VersionRecord[]> {
  const values = [ctx.scope.organization, ctx.scope.environment, agent, page.take];
  const after = page.after ? "and v.number < $5" : "";
  return ctx.db.query<VersionRecord>(
    `${versionsOf("case when v.digest is null then v.definition end")} ${after} order by v.number desc limit $4`,
    page.after ? [...values, page.after.keys[0]] : values,
  );
}

export type WholeVersion = VersionRecord & { definition: AgentDefinition };

type Finding = CallContext & { readonly db: Reader };

async function findWhole(ctx: Finding, agent: string, rest: string, ...values: number[]) {
  const { organization, environment } = ctx.scope;
  const text = `${versionsOf("v.definition")} ${rest}`;
  const rows = await ctx.db.query<WholeVersion>(text, [organization, environment, agent, ...values]);
  return rows[0];
}

/** By its number. */
export const findVersionRecord = (ctx: Finding, agent: string, number: number): Promise<WholeVersion | undefined> =>
  findWhole(ctx, agent, "and v.number = $4", number);

export const findNewestVersion = (ctx: Finding, agent: string): Promise<WholeVersion | undefined> =>
  findWhole(ctx, agent, "order by v.number desc limit 1");

/** The version of this number, else the live one, else the newest. */
export async function findAskedVersion(ctx: Finding, agent: string, asked: number | undefined): Promise<WholeVersion> {
  const number = asked ?? ctx.facts.get(agentFacts).find(ctx.scope, agent)?.live?.number;
  const found = await (number === undefined ? findNewestVersion(ctx, agent) : findVersionRecord(ctx, agent, number));
  if (found) return found;
  throw refuse(noVersion, asked === undefined ? `${agent} has no version yet.` : `${agent} has no version ${asked}.`);
}

export interface NewVersion extends NewModels {
  readonly agent: string;
  readonly number: number;
  readonly digest: string;
  readonly note: string;
  readonly basedOn: number | null;
  readonly deciders: readonly Decider[];
}

/** Returns the version, which has no verdict and no deployment yet. */
export async function insertVersion(ctx: WriteContext, version: NewVersion): Promise<WholeVersion> {
  const { agent, number, definition, digest, note, basedOn, deciders } = version;
  const id = ctx.newId("ver");
  const row = { id, agent, number, definition: JSON.stringify(definition), note, author: ctx.principal.id, digest };
  const made = { created_at: new Date(ctx.now), based_on: basedOn, deciders: storableDeciders(deciders) };
  await first(ctx, insert(ctx, "agent_versions", { ...row, ...made }));
  const trained = await insertModels(ctx, id, version);
  await insertFingerprints(ctx, { id, agent, number, definition, trained });
  ctx.touch(evidenceFacts);
  const { author } = row;
  const none = { training: null, verdict: null, reasons: null, expires_at: null, deployed: false };
  return {
    id,
    agent,
    number,
    note,
    author,
    created_at: made.created_at,
    based_on: basedOn,
    digest,
    definition,
    ...none,
  };
}
