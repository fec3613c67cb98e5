import { readFile } from "node:fs/promises";
import type pg from "pg";
import { parse } from "yaml";
import type { AgentDefinition } from "../features/agents/schemas.ts";
import type { NewId } from "../kernel/ids.ts";
import { sampleLeads } from "./leads.ts";

/** Where the sample goes, whose it is, and when. */
export interface SampleOptions {
  readonly organization: string;
  readonly environment: string;
  /** The member who owns the agent. */
  readonly owner: string;
  readonly now: Date;
  readonly newId: NewId;
}

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
 * Its gate has no evidence: nothing was evaluated yet.
 */
export async function seedSample(client: pg.PoolClient, options: SampleOptions): Promise<void> {
  const [agent, playbook] = await Promise.all([
    readAgentFile(new URL("./sales.yaml", import.meta.url)),
    readFile(new URL("./playbook.yaml", import.meta.url), "utf8").then((text) => parse(text) as Passage[]),
  ]);
  await insertAgent(client, options, agent.name, agent.definition);
  await insertKnowledge(client, options, playbook);
}

async function insertAgent(client: pg.PoolClient, options: SampleOptions, name: string, definition: AgentDefinition): Promise<void> {
  const { organization, environment, owner, now, newId } = options;
  const frozen = JSON.stringify(definition);
  await client.query(
    `insert into agents (organization, name, description, owner, labels, draft, created_at, updated_at)
     values ($1, $2, $3, $4, '{sample}', $5, $6, $6)`,
    [organization, name, definition.description, owner, frozen, now],
  );
  await client.query(
    `insert into agent_versions (organization, agent, number, id, definition, note, author, created_at)
     values ($1, $2, 1, $3, $4, 'The sample as it comes with the service.', $5, $6)`,
    [organization, name, newId("ver"), frozen, owner, now],
  );
  await client.query(
    `insert into deployments (organization, environment, id, agent, version_number, state, author, created_at)
     values ($1, $2, $3, $4, 1, 'live', $5, $6)`,
    [organization, environment, newId("dep"), name, owner, now],
  );
}

interface SampleDocument {
  readonly base: string;
  readonly external_id: string;
  readonly fields: object;
}

async function insertKnowledge(client: pg.PoolClient, options: SampleOptions, playbook: readonly Passage[]): Promise<void> {
  const { organization, environment, now, newId } = options;
  const bases = { leads: newId("kb"), playbook: newId("kb") };
  const documents: SampleDocument[] = [
    ...sampleLeads().map(({ lead_id, fields }) => ({ base: bases.leads, external_id: lead_id, fields })),
    ...playbook.map(({ id, title, text }) => ({ base: bases.playbook, external_id: id, fields: { title, text } })),
  ];
  await client.query(
    `insert into knowledge_bases (organization, environment, id, name, created_at)
     select $1, $2, id, name, $5 from unnest($3::text[], $4::text[]) as b(id, name)`,
    [organization, environment, Object.values(bases), Object.keys(bases), now],
  );
  await client.query(
    `insert into documents (organization, environment, id, base, external_id, fields, created_at)
     select $1, $2, id, base, external_id, fields::jsonb, $7
     from unnest($3::text[], $4::text[], $5::text[], $6::text[]) as d(id, base, external_id, fields)`,
    [
      organization,
      environment,
      documents.map(() => newId("doc")),
      documents.map((one) => one.base),
      documents.map((one) => one.external_id),
      documents.map((one) => JSON.stringify(one.fields)),
      now,
    ],
  );
}
