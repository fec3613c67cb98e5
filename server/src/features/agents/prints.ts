import { all, insert } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { digestOf } from "./bundle/index.ts";
import type { AgentDefinition, SkillDefinition } from "./definition.ts";

/** What tells versions of a skill apart: digests of its model with what that has learnt, and of all else that the model sees. */
export interface SkillPrint {
  readonly model: string;
  readonly behaviour: string;
}

/**
 * The prints of every skill of a definition, by name. They differ exactly where a comparison of two definitions says that the skill's evidence is touched;
 * `trained` holds the digests of trained models by skill.
 */
export function printsOf(definition: AgentDefinition, trained: ReadonlyMap<string, string>): Map<string, SkillPrint> {
  return new Map(
    definition.skills.map((skill) => {
      const model = digestOf({ model: definition.model, trained: trained.get(skill.name) });
      return [skill.name, { model, behaviour: digestOf(seenOf(definition, skill)) }];
    }),
  );
}

/** What the skill's model sees or is bound by. Titles are for people; impact, costs and subjects govern; the order of tools means nothing, that of a skill's tools does. */
function seenOf(
  { instructions, knowledge, tools }: AgentDefinition,
  { title: _title, impact: _impact, subject: _subject, ...skill }: SkillDefinition,
) {
  const used = tools.filter(({ name }) => skill.tools?.includes(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    instructions,
    knowledge: [...(knowledge ?? [])].sort(),
    tools: used.map(({ title: _title, impact: _unseen, cost_usd: _cost, ...tool }) => tool),
    skill,
  };
}

interface PrintedVersion {
  readonly id: string;
  readonly agent: string;
  readonly number: number;
  readonly definition: AgentDefinition;
  /** Digests of its trained models, by skill. */
  readonly trained: Readonly<Record<string, string>>;
}

/** Stores the prints of a version's skills. */
export async function insertPrints(
  ctx: Pick<WriteContext, "scope"> & { readonly db: Statements },
  { id: version_id, agent, number, definition, trained }: PrintedVersion,
): Promise<void> {
  const prints = printsOf(definition, new Map(Object.entries(trained)));
  const rows = [...prints].map(([skill, print]) => ({ version_id, agent, number, skill, ...print }));
  if (rows.length > 0)
    await all(
      ctx,
      insert(ctx, "skill_prints", rows).onConflict((conflict) => conflict.doNothing()),
    );
}

/** Stores the prints of versions that have none: they were frozen by an earlier release, or came with the sample. Returns how many versions. */
export async function printForgotten(db: Statements, most: number): Promise<number> {
  const versions = await db.query<PrintedVersion & Scope>(
    `select v.organization, v.id, v.agent, v.number, v.definition,
       coalesce((select json_object_agg(m.skill, m.digest) from skill_models m where m.organization = v.organization and m.version_id = v.id), '{}') as trained
     from agent_versions v
     where jsonb_array_length(v.definition -> 'skills') > 0
       and not exists (select from skill_prints p where p.organization = v.organization and p.version_id = v.id)
     order by v.created_at limit $1`,
    [most],
  );
  for (const version of versions) await insertPrints({ db, scope: version }, version);
  return versions.length;
}
