import { all, first, insert, type Row, select, update } from "../../../db/scoped.ts";
import { type Decider, storableDeciders, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { largestStoredInteger } from "../../../kernel/whole-numbers.ts";
import type { Plan } from "../schemas.ts";

export type PlanContent = Pick<Plan, "steps" | "total" | "findings" | "leaves_open">;

export interface PlanRow extends Omit<Row<"mission_plans">, "plan" | "origin"> {
  readonly plan: PlanContent;
  readonly origin: Plan["origin"];
}

const plans = (ctx: QueryContext, mission: string) =>
  select(ctx, "mission_plans", "p").selectAll().where("p.mission", "=", mission).$castTo<PlanRow>();

export async function findPlan(ctx: QueryContext, mission: string, number: number): Promise<PlanRow | undefined> {
  if (!(number <= largestStoredInteger)) return undefined;
  return first(ctx, plans(ctx, mission).where("p.number", "=", number));
}

export const findNewestPlan = (ctx: QueryContext, mission: string): Promise<PlanRow | undefined> =>
  first(ctx, plans(ctx, mission).orderBy("p.number", "desc").limit(1));

/** The plans of a mission with numbers below `before`, newest first. */
export const listPlanRows = (ctx: QueryContext, mission: string, before: number, take: number): Promise<PlanRow[]> =>
  all(ctx, plans(ctx, mission).where("p.number", "<", before).orderBy("p.number", "desc").limit(take));

/** The accepted plans, by mission. */
export async function acceptedPlans(
  ctx: QueryContext,
  missions: readonly { readonly id: string; readonly plan_number: number | null }[],
): Promise<ReadonlyMap<string, PlanRow>> {
  const numbers = new Map(missions.flatMap(({ id, plan_number }) => (plan_number === null ? [] : [[id, plan_number]])));
  if (numbers.size === 0) return new Map();
  const query = select(ctx, "mission_plans", "p").selectAll().$castTo<PlanRow>();
  const rows = await all(
    ctx,
    query.where("p.mission", "in", [...numbers.keys()]).where("p.accepted_at", "is not", null),
  );
  return new Map(rows.filter((row) => numbers.get(row.mission) === row.number).map((row) => [row.mission, row]));
}

export interface NewPlan {
  readonly plan: PlanContent;
  readonly origin: Plan["origin"];
  readonly note: string;
  /** Of its steps. */
  readonly deciders: readonly Decider[];
}

/** Adds the next version of a plan. The mission is locked. */
export async function insertPlan(
  ctx: WriteContext,
  mission: string,
  { plan, origin, note, deciders }: NewPlan,
): Promise<PlanRow> {
  const number = ((await findNewestPlan(ctx, mission))?.number ?? 0) + 1;
  const row = { mission, number, plan: JSON.stringify(plan), origin, note, deciders: storableDeciders(deciders) };
  const added = insert(ctx, "mission_plans", { ...row, author: ctx.principal.id, created_at: new Date(ctx.now) });
  return (await first(ctx, added.returningAll())) as unknown as PlanRow;
}

/** Records that the caller accepted a plan. `deciders`: includes them, since by that they decide it too. */
export async function acceptPlanRow(
  ctx: WriteContext,
  { mission, number, deciders: before }: PlanRow,
  deciders: readonly Decider[],
): Promise<PlanRow> {
  const accepted = update(ctx, "mission_plans").set({
    accepted_at: new Date(ctx.now),
    accepted_by: ctx.principal.id,
    deciders: storableDeciders(unite(storedDeciders(before), deciders)),
  });
  const one = accepted.where("mission", "=", mission).where("number", "=", number);
  return (await first(ctx, one.returningAll())) as unknown as PlanRow;
}
