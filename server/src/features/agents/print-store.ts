import type { WriteContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { AgentDefinition } from "./definition.ts";
import { printsOf } from "./prints.ts";

/** A version whose prints are taken. */
export interface PrintedVersion {
  readonly id: string;
  readonly agent: string;
  readonly number: number;
  readonly definition: AgentDefinition;
  /** Digests of its trained models, by skill. */
  readonly trained: Readonly<Record<string, string>>;
}

const insert = `insert into skill_prints (organization, version_id, skill, agent, number, model, behaviour)
  select $1, $2, p.skill, $3, $4, p.model, p.behaviour from unnest($5::text[], $6::text[], $7::text[]) as p(skill, model, behaviour) on conflict do nothing`;

function valuesOf(organization: string, { id, agent, number, definition, trained }: PrintedVersion): unknown[] {
  const prints = [...printsOf(definition, new Map(Object.entries(trained)))];
  return [
    organization,
    id,
    agent,
    number,
    prints.map(([skill]) => skill),
    prints.map(([, { model }]) => model),
    prints.map(([, { behaviour }]) => behaviour),
  ];
}

/** Keeps the prints of a new version's skills. */
export async function insertPrints(ctx: WriteContext, version: PrintedVersion): Promise<void> {
  await ctx.db.query(insert, valuesOf(ctx.scope.organization, version));
}

/** Takes the prints of versions that have none: they were frozen by an earlier release, or came with the sample. Answers how many versions it took up. */
export async function printForgotten(db: Statements, most: number): Promise<number> {
  const versions = await db.query<PrintedVersion & { organization: string }>(
    `select v.organization, v.id, v.agent, v.number, v.definition,
       coalesce((select json_object_agg(m.skill, m.digest) from skill_models m where m.organization = v.organization and m.version_id = v.id), '{}') as trained
     from agent_versions v
     where jsonb_array_length(v.definition -> 'skills') > 0
       and not exists (select from skill_prints p where p.organization = v.organization and p.version_id = v.id)
     order by v.created_at limit $1`,
    [most],
  );
  for (const { organization, ...version } of versions) await db.query(insert, valuesOf(organization, version));
  return versions.length;
}
