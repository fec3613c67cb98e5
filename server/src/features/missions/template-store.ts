import { all, first, insert, type Row, select } from "../../db/scoped.ts";
import { type Decider, storableDeciders, storedDeciders } from "../../kernel/actor.ts";
import { isoTime } from "../../kernel/clock.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { builtInTemplates } from "./plan-templates.ts";
import type { MissionTemplate } from "./schemas.ts";
import type { Here } from "./store.ts";

type TemplateRow = Row<"mission_templates">;

const view = (row: TemplateRow): MissionTemplate => ({
  ...{ name: row.name, description: row.description, origin: "saved" },
  mission: row.mission as MissionTemplate["mission"],
  steps: row.steps as unknown as MissionTemplate["steps"],
  created_by: row.author,
  created_at: isoTime(row.created_at),
});

const templates = (ctx: Here) => select(ctx, "mission_templates", "t").selectAll();

/** A template by its name, with who decided its steps: one that comes with the service, or one that somebody saved. */
export async function findTemplate(
  ctx: Here,
  name: string,
): Promise<(Pick<MissionTemplate, "steps"> & { readonly deciders: readonly Decider[] }) | undefined> {
  const builtIn = builtInTemplates.find((one) => one.name === name);
  if (builtIn) return { steps: builtIn.steps, deciders: [] };
  const row = await first(ctx, templates(ctx).where("t.name", "=", name));
  return row && { steps: view(row).steps, deciders: storedDeciders(row.deciders) };
}

/** Saved templates behind a name, by name. */
export const listSaved = async (ctx: Here, after: string | undefined, take: number): Promise<MissionTemplate[]> => {
  const query = templates(ctx).$if(after !== undefined, (q) => q.where("t.name", ">", after ?? ""));
  return (await all(ctx, query.orderBy("t.name").limit(take))).map(view);
};

/** Saves a template of the caller; undefined: the name is taken. */
export async function insertTemplate(
  ctx: WriteContext,
  { name, description, mission, steps }: Pick<MissionTemplate, "name" | "description" | "mission" | "steps">,
  deciders: readonly Decider[],
): Promise<MissionTemplate | undefined> {
  const json = { mission: JSON.stringify(mission), steps: JSON.stringify(steps) };
  const decided = { deciders: storableDeciders(deciders), author: ctx.principal.id, created_at: new Date(ctx.now) };
  const row = { name, description, ...json, ...decided };
  const made = insert(ctx, "mission_templates", row).onConflict((on) => on.doNothing());
  const saved = await first(ctx, made.returningAll());
  return saved && view(saved);
}

/** The agents that a template names. */
export const agentsOfTemplate = ({ mission, steps }: Pick<MissionTemplate, "mission" | "steps">): string[] => [
  ...new Set([...(mission.agents ?? []), ...steps.map(({ agent }) => agent)]),
];
