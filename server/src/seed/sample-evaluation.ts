import type pg from "pg";
import { coverageOf, type GateDefinition, type StoredItem } from "../features/evaluations/public.ts";
import type { SetScorerBody } from "../features/evaluations/schemas.ts";
import { storable, systemActor } from "../kernel/actor.ts";
import type { NewId } from "../kernel/ids.ts";
import { type Environment, systemPrincipal } from "../kernel/principal.ts";
import { type SampleLead, sampleLeads } from "./leads.ts";

export interface SampleOptions {
  readonly organization: string;
  readonly environment: Environment;
  /** The member who owns the agent. */
  readonly owner: string;
  readonly now: Date;
  readonly newId: NewId;
  /** Whether its dataset, its gate and the run that the gate waits for come along. */
  readonly evaluation: boolean;
}

/** Where the version stands that the sample's dataset is run against. */
export interface SampleVersion {
  readonly agent: string;
  readonly versionId: string;
}

const skill = "summarize_lead";
const dataset = "lead-facts";
const scorer = "facts-agree";
/** Leads that become items. That many show, with 95 %, that a later version did not get worse by the tolerance of .05: 3/n is below it from 59 items on. */
const leadsOfSet = 80;

const definition: Omit<SetScorerBody, "samples" | "description"> & {
  pointer: string;
  parameters: object;
  pass_at: number;
} = {
  kind: "json_match",
  pointer: "",
  parameters: {},
  pass_at: 1,
};
const samples = [
  {
    output: { company: "Ember Looms", employees: 35, summary: "…" },
    expected: { company: "Ember Looms", employees: 35 },
    score: 1,
  },
  { output: { company: "Ember Looms" }, expected: { company: "Ember Looms", employees: 35 }, score: 0.5 },
];

/** A lead as an item: the facts of its record that a summary has to carry over unchanged. */
function itemOf({ lead_id, fields }: SampleLead): StoredItem {
  const { company, country, employees, interest, source } = fields;
  return {
    name: lead_id,
    input: { lead_id },
    expected: { company, country, employees, interest },
    must_pass: false,
    cluster: null,
    labels: [String(source)],
    source: null,
  };
}

/**
 * Writes the sample's dataset, its scorer and the gate of its agent, and a run that waits for a worker: the gate's verdict comes of what that run finds, soon
 * after the first start.
 */
export async function seedEvaluation(
  client: pg.PoolClient,
  options: SampleOptions,
  version: SampleVersion,
): Promise<void> {
  const datasetId = options.newId("ds");
  const items = sampleLeads().slice(0, leadsOfSet).map(itemOf);
  await insertSet(client, options, version, datasetId, items);
  await insertScorer(client, options);
  await insertGate(client, options, version, datasetId);
  await insertRun(client, options, version, datasetId, items.length);
}

async function insertSet(
  client: pg.PoolClient,
  options: SampleOptions,
  { agent }: SampleVersion,
  id: string,
  items: readonly StoredItem[],
): Promise<void> {
  const { organization, owner, now } = options;
  const description = "Whether a summary carries the facts of the lead's record over unchanged.";
  await client.query(
    `insert into datasets (organization, id, name, agent, skill, description, tags, version, coverage, author, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, '{sample}', 1, $7, $8, $9, $9)`,
    [organization, id, dataset, agent, skill, description, JSON.stringify(coverageOf(items)), owner, now],
  );
  await client.query(
    `insert into dataset_versions (organization, dataset_id, version, note, added, replaced, author, created_at)
     values ($1, $2, 1, 'The sample as it comes with the service.', $3, 0, $4, $5)`,
    [organization, id, items.length, owner, now],
  );
  await client.query(
    `insert into dataset_items (organization, dataset_id, name, since, place, input, expected, labels)
     select $1, $2, i.name, 1, i.place, i.input, i.expected, array[i.label]
     from unnest($3::text[], $4::text[], $5::text[], $6::text[]) with ordinality as i(name, input, expected, label, place)`,
    [
      organization,
      id,
      items.map(({ name }) => name),
      items.map(({ input }) => JSON.stringify(input)),
      items.map(({ expected }) => JSON.stringify(expected)),
      items.map(({ labels }) => labels[0]),
    ],
  );
}

async function insertScorer(client: pg.PoolClient, { organization, owner, now }: SampleOptions): Promise<void> {
  await client.query(
    `insert into scorers (organization, name, version, definition, description, samples, author, created_at)
     values ($1, $2, 1, $3, 'The share of the expected facts that the output states at the same places.', $4, $5, $6)`,
    [organization, scorer, JSON.stringify(definition), JSON.stringify(samples), owner, now],
  );
}

async function insertGate(
  client: pg.PoolClient,
  options: SampleOptions,
  { agent }: SampleVersion,
  datasetId: string,
): Promise<void> {
  const { organization, environment, owner, now } = options;
  const gate: GateDefinition = {
    datasets: [{ dataset_id: datasetId, version: 1 }],
    scorers: [{ scorer, version: 1 }],
    floor: 0.8,
    tolerance: 0.05,
    repeats: 1,
    max_repeats: 5,
    lifetime_days: 30,
    fail_closed: false,
    on_missing: null,
    table: {},
  };
  await client.query(
    `insert into gates (organization, environment, agent, definition, author, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $6)`,
    [organization, environment, agent, JSON.stringify(gate), owner, now],
  );
}

async function insertRun(
  client: pg.PoolClient,
  options: SampleOptions,
  version: SampleVersion,
  datasetId: string,
  total: number,
): Promise<void> {
  const { organization, environment, owner, now, newId } = options;
  const actor = storable(systemActor(systemPrincipal("seed"), environment as Environment));
  await client.query(
    `insert into evaluation_runs (organization, environment, id, agent, skill, version_id, version_number, dataset_id, dataset_name, dataset_version, scorers,
       repeats, seed, total, note, principal, created_at, actor)
     values ($1, $2, $3, $4, $5, $6, 1, $7, $8, 1, $9, 1, 1, $10, 'The evidence of the sample''s gate.', $11, $12, $13)`,
    [
      organization,
      environment,
      newId("run"),
      version.agent,
      skill,
      version.versionId,
      datasetId,
      dataset,
      JSON.stringify([{ scorer, version: 1, ...definition }]),
      total,
      owner,
      now,
      actor,
    ],
  );
}
