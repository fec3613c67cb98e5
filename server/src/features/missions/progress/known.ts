import type { CallContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { type Hold, type HoldSource, makeHold } from "../../../kernel/hold.ts";
import type { Holding } from "../../tasks/public.ts";
import { holdsOfMissions, listUnmadeTasks } from "../../workflows/public.ts";
import { type DecisionRow, listOpenDecisions } from "../decisions/store.ts";
import type { MissionRow } from "../missions/store.ts";
import { acceptedPlans, type PlanRow } from "../plans/store.ts";
import type { MissionSummary } from "../schemas.ts";
import { readMeasured } from "./measure-store.ts";
import { listSpend, type StepSpend } from "./spend-store.ts";

export type Reading = QueryContext & Holding & Pick<CallContext, "seals">;

/** A mission with its computed members. */
export interface Known {
  readonly row: MissionRow;
  readonly measured: MissionSummary["measured"];
  readonly spends: readonly StepSpend[];
  readonly notMade: number;
  readonly accepted: PlanRow | undefined;
  readonly decisions: readonly DecisionRow[];
  readonly held: Hold | null;
  readonly now: number;
}

/** Computes members of missions, in a few statements for all of them. */
export async function readKnown(ctx: Reading, rows: readonly MissionRow[]): Promise<Known[]> {
  const ids = rows.map(({ id }) => id);
  const measured = await readMeasured(ctx, rows);
  const spends = Map.groupBy(await listSpend(ctx, ids), ({ mission }) => mission);
  const unmade = Map.groupBy(await listUnmadeTasks(ctx, ids), ({ mission }) => mission);
  const plans = await acceptedPlans(ctx, rows);
  const decisions = Map.groupBy(await listOpenDecisions(ctx, ids), ({ mission }) => mission);
  const runs = await holdsOfMissions(ctx, ids);
  const heldBy = (row: MissionRow): Hold | null => {
    const source = stopOf(row, decisions.get(row.id) ?? []);
    const behind = runs.get(row.id) ?? null;
    return source ? makeHold(source, ctx, behind) : behind;
  };
  return rows.map((row) => ({
    row,
    measured: measured.get(row.id) as Known["measured"],
    spends: spends.get(row.id) ?? [],
    notMade: (unmade.get(row.id) ?? []).reduce((sum, { count }) => sum + count, 0),
    accepted: plans.get(row.id),
    decisions: decisions.get(row.id) ?? [],
    held: heldBy(row),
    now: ctx.now,
  }));
}

/** What holds a mission as a whole: a pause, or a blocking question. */
function stopOf({ id, status, updated_at }: MissionRow, decisions: readonly DecisionRow[]): HoldSource | undefined {
  if (status === "paused") return { of: "mission", id, since: updated_at, text: "The mission is paused." };
  const asked = status === "blocked" ? (decisions.find(({ blocks }) => blocks) ?? decisions[0]) : undefined;
  return asked && { of: "decision", id: asked.id, mission: id, since: asked.asked_at, text: asked.question };
}
