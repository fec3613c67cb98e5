import { readFile } from "node:fs/promises";
import type pg from "pg";
import { parse } from "yaml";
import type { AgentDefinition } from "../features/agents/schemas.ts";
import { documentOf, insertBase, putDocuments } from "../features/knowledge/public.ts";
import type { AddDocumentBody } from "../features/knowledge/schemas.ts";
import { sampleLeads } from "./leads.ts";
import { type SampleOptions, seedEvaluation } from "./sample-evaluation.ts";

/** Where the sample goes, whose it is, and when. */

/** A passage of the playbook. */
interface Passage {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** The agent of a definition file: its name, and what a version freezes. */
export async function readAgentFile(file: URL): Promise<{ name: string; definition: AgentDefinition }> {
  const { agent, ...definition } = parse(await readFile(file, "utf8")) as AgentDefinition & { agent: string };
  return { name: agent, definition };
}

/**
 * Writes the sample inside the transaction of `client`: the agent with one version, live; its two knowledge bases with 200 leads and the playbook.
 * With `evaluation` also a dataset and the agent's gate, whose evidence a run brings that a worker takes up soon after.
 */
export async function seedSample(client: pg.PoolClient, options: SampleOptions): Promise<void> {
  const [agent, playbook] = await Promise.all([
    readAgentFile(new URL("./sales.yaml", import.meta.url)),
    readFile(new URL("./playbook.yaml", import.meta.url), "utf8").then((text) => parse(text) as Passage[]),
  ]);
  const versionId = await insertAgent(client, options, agent.name, agent.definition);
  await insertKnowledge(client, options, playbook);
  if (options.evaluation) await seedEvaluation(client, options, { agent: agent.name, versionId });
}

/** Answers the id of the version. */
async function insertAgent(
  client: pg.PoolClient,
  options: SampleOptions,
  name: string,
  definition: AgentDefinition,
): Promise<string> {
  const { organization, environment, owner, now, newId } = options;
  const frozen = JSON.stringify(definition);
  const versionId = newId("ver");
  await client.query(
    `insert into agents (organization, name, description, owner, labels, draft, created_at, updated_at)
     values ($1, $2, $3, $4, '{sample}', $5, $6, $6)`,
    [organization, name, definition.description, owner, frozen, now],
  );
  await client.query(
    `insert into agent_versions (organization, agent, number, id, definition, note, author, created_at)
     values ($1, $2, 1, $3, $4, 'The sample as it comes with the service.', $5, $6)`,
    [organization, name, versionId, frozen, owner, now],
  );
  await client.query(
    `insert into deployments (organization, environment, id, agent, version_number, state, author, created_at)
     values ($1, $2, $3, $4, 1, 'live', $5, $6)`,
    [organization, environment, newId("dep"), name, owner, now],
  );
  return versionId;
}

async function insertKnowledge(
  client: pg.PoolClient,
  options: SampleOptions,
  playbook: readonly Passage[],
): Promise<void> {
  await insertBaseOf(
    client,
    options,
    "leads",
    "The leads of the sample, all invented.",
    sampleLeads().map(({ lead_id, fields }) => ({ external_id: lead_id, fields })),
  );
  await insertBaseOf(
    client,
    options,
    "playbook",
    "The rules by which the sales team of the sample works.",
    playbook.map(({ id, title, text }) => ({ external_id: id, title, text })),
  );
}

async function insertBaseOf(
  client: pg.PoolClient,
  { organization, environment, owner, now, newId }: SampleOptions,
  name: string,
  description: string,
  documents: readonly AddDocumentBody[],
): Promise<void> {
  const query = async <R extends object>(text: string, values: readonly unknown[] = []): Promise<R[]> =>
    (await client.query<R & pg.QueryResultRow>(text, [...values])).rows;
  const ctx = { scope: { organization, environment }, db: { query } };
  const base = { id: newId("kb"), language: "english" };
  await insertBase(ctx, { ...base, name, description, author: owner, created_at: now });
  await putDocuments(
    ctx,
    base,
    documents.map((one) => documentOf({ newId }, one)),
    { author: owner, at: now, deciders: [] },
  );
}
