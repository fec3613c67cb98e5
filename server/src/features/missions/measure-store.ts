import type { CallContext } from "../../kernel/context.ts";
import { isIntact, type SealedTask, sealedColumns } from "../tasks/public.ts";
import { withExpressions } from "../workflows/public.ts";
import { measureHere, type Result } from "./measure.ts";
import type { Measured } from "./schemas.ts";
import type { Here, MissionRow } from "./store.ts";

type ResultRow = SealedTask & {
  readonly mission: string;
  readonly accepted: boolean | null;
  readonly rating: number | null;
  readonly outcome: number | null;
};

const there = { module: new URL("./measure.ts", import.meta.url), name: "measureThere" };

/** What the measure of each mission comes to now, by mission. A result that is not what was recorded counts for nothing. */
export async function readMeasured(
  ctx: Here & Pick<CallContext, "seals">,
  missions: readonly MissionRow[],
): Promise<ReadonlyMap<string, Measured>> {
  const { organization, environment } = ctx.scope;
  const ids = missions.map(({ id }) => id);
  const rows =
    ids.length === 0
      ? []
      : await ctx.db.query<ResultRow>(
          `select m.id as mission, ${sealedColumns("t")}, f.accepted, f.rating, f.outcome
           from missions m
           join workflow_runs r on r.organization = m.organization and r.environment = m.environment and r.mission = m.id
           join tasks t on t.organization = m.organization and t.environment = m.environment and t.run_id = r.id and t.skill = m.measure ->> 'skill'
           left join lateral (
             select f.accepted, f.rating, f.outcome from task_feedback f
             where f.organization = t.organization and f.environment = t.environment and f.task_id = t.id order by f.id desc limit 1) f on true
           where m.organization = $1 and m.environment = $2 and m.id = any($3::text[])
             and t.status in ('completed', 'failed', 'rejected', 'expired', 'blocked')`,
          [organization, environment, ids],
        );
  const of = Map.groupBy(
    rows.filter((row) => isIntact(ctx, row)),
    ({ mission }) => mission,
  );
  const all = missions.map(({ id, measure }) => ({ measure, results: (of.get(id) ?? []).map(resultOf) }));
  const measured = await withExpressions(ctx.scope, all, measureHere, there);
  return new Map(missions.map(({ id }, at) => [id, measured[at] as Measured]));
}

const resultOf = ({ status, input, output, accepted, rating, outcome }: ResultRow): Result => ({
  status,
  input: JSON.parse(input) as unknown,
  output: output === null ? null : JSON.parse(output),
  feedback: { accepted, rating, outcome },
});
