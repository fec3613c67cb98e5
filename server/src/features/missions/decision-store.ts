import { all, first, insert, newestFirst, type Row, select, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { isId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { MissionDecision as Decision } from "./schemas.ts";
import type { Here } from "./store.ts";

export interface DecisionRow extends Omit<Row<"mission_decisions">, "kind" | "options" | "context"> {
  readonly kind: Decision["kind"];
  readonly options: Decision["options"];
  readonly context: Decision["context"];
}

const decisions = (ctx: Here) => select(ctx, "mission_decisions", "d").selectAll().$castTo<DecisionRow>();
const open = (ctx: Here) => decisions(ctx).where("d.answered_at", "is", null).where("d.withdrawn_at", "is", null);

export async function findDecision(ctx: Here, mission: string, id: string): Promise<DecisionRow | undefined> {
  return isId(id, "mdc")
    ? first(ctx, decisions(ctx).where("d.id", "=", id).where("d.mission", "=", mission))
    : undefined;
}

/** The questions of missions that wait for people, oldest first. */
export const listOpenDecisions = async (ctx: Here, missions: readonly string[]): Promise<DecisionRow[]> =>
  missions.length === 0 ? [] : all(ctx, open(ctx).where("d.mission", "in", missions).orderBy("d.id"));

export const listDecisionRows = (ctx: Here, mission: string, page: PageRequest): Promise<DecisionRow[]> =>
  all(ctx, newestFirst(decisions(ctx).where("d.mission", "=", mission), "d.id", page));

export interface Question {
  readonly kind: Decision["kind"];
  readonly question: string;
  readonly options: Decision["options"];
  readonly context: Decision["context"];
  readonly blocks: boolean;
}

/** Puts a question; one that the service puts has no asker. */
export async function insertDecision(ctx: WriteContext, mission: string, asked: Question): Promise<string> {
  const id = ctx.newId("mdc");
  const { options, context, ...rest } = asked;
  const by = ctx.principal.kind === "system" ? null : ctx.principal.id;
  const json = { options: JSON.stringify(options), context: JSON.stringify(context) };
  await all(
    ctx,
    insert(ctx, "mission_decisions", { id, mission, ...rest, ...json, asked_by: by, asked_at: new Date(ctx.now) }),
  );
  return id;
}

/** Answers a question that is open; false: it is not any more. */
export async function answerDecision(
  ctx: WriteContext,
  id: string,
  { answer, comment }: { readonly answer: string; readonly comment: string | null },
): Promise<boolean> {
  const said = { answer, comment, answered_by: ctx.principal.id, answered_at: new Date(ctx.now) };
  const query = update(ctx, "mission_decisions").set(said).where("id", "=", id);
  const rows = await all(ctx, query.where("answered_at", "is", null).where("withdrawn_at", "is", null).returning("id"));
  return rows.length === 1;
}

/** Takes back what the service asked of a mission, or with `all` every open question: it no longer matters. */
export async function withdrawDecisions(
  ctx: WriteContext,
  mission: string,
  { every }: { readonly every: boolean },
): Promise<void> {
  const query = update(ctx, "mission_decisions")
    .set({ withdrawn_at: new Date(ctx.now) })
    .where("mission", "=", mission);
  const those = query.where("answered_at", "is", null).where("withdrawn_at", "is", null);
  await all(ctx, every ? those : those.where("kind", "<>", "question"));
}
