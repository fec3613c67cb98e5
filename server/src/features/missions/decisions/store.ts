import { all, first, insert, newestFirst, type Row, select, update } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import type { InboxSource } from "../../../kernel/inbox.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { MissionDecision as Decision } from "../schemas.ts";

export interface DecisionRow extends Omit<Row<"mission_decisions">, "kind" | "options" | "context"> {
  readonly kind: Decision["kind"];
  readonly options: Decision["options"];
  readonly context: Decision["context"];
}

const decisions = (ctx: QueryContext) => select(ctx, "mission_decisions", "d").selectAll().$castTo<DecisionRow>();
const open = (ctx: QueryContext) =>
  decisions(ctx).where("d.answered_at", "is", null).where("d.withdrawn_at", "is", null);

export async function findDecision(ctx: QueryContext, mission: string, id: string): Promise<DecisionRow | undefined> {
  return isId(id, "mdc")
    ? first(ctx, decisions(ctx).where("d.id", "=", id).where("d.mission", "=", mission))
    : undefined;
}

export const listOpenDecisions = async (ctx: QueryContext, missions: readonly string[]): Promise<DecisionRow[]> =>
  missions.length === 0 ? [] : all(ctx, open(ctx).where("d.mission", "in", missions).orderBy("d.id"));

export const listDecisionRows = (ctx: QueryContext, mission: string, page: PageRequest): Promise<DecisionRow[]> =>
  all(ctx, newestFirst(decisions(ctx).where("d.mission", "=", mission), "d.id", page));

export interface Question {
  readonly kind: Decision["kind"];
  readonly question: string;
  readonly options: Decision["options"];
  readonly context: Decision["context"];
  readonly blocks: boolean;
}

/** Asks a question; `asked_by` null for the service. */
export async function insertDecision(ctx: WriteContext, mission: string, asked: Question): Promise<DecisionRow> {
  const id = ctx.newId("mdc");
  const { options, context, ...rest } = asked;
  const by = ctx.principal.kind === "system" ? null : ctx.principal.id;
  const json = { options: JSON.stringify(options), context: JSON.stringify(context) };
  const row = { id, mission, ...rest, ...json, asked_by: by, asked_at: new Date(ctx.now) };
  return (await first(ctx, insert(ctx, "mission_decisions", row).returningAll())) as unknown as DecisionRow;
}

/** Answers an open question; undefined if it is no longer open. */
export async function answerDecision(
  ctx: WriteContext,
  id: string,
  { answer, comment }: { readonly answer: string; readonly comment: string | null },
): Promise<DecisionRow | undefined> {
  const said = { answer, comment, answered_by: ctx.principal.id, answered_at: new Date(ctx.now) };
  const query = update(ctx, "mission_decisions").set(said).where("id", "=", id);
  const open = query.where("answered_at", "is", null).where("withdrawn_at", "is", null);
  return (await first(ctx, open.returningAll())) as DecisionRow | undefined;
}

/** Withdraws the service's questions about a mission, or with `all` every open one. */
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

export const missionQuestions: InboxSource = {
  kind: "question",
  reads: "missions:read",
  acts: "missions:run",
  sql: `select d.id, m.goal, d.question, null::text, null::text, d.asked_at, m.deadline, null::text, null::text, null::text, null::text, true, '/missions/' || m.id
    from mission_decisions d join missions m on m.organization = d.organization and m.environment = d.environment and m.id = d.mission
    where d.organization = $1 and d.environment = $2 and d.answered_at is null and d.withdrawn_at is null and ($3::text[] is null or m.agents <@ $3)`,
};
