import { createHash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import type { Plan, WorkflowDefinition } from "@aos/workflow";
import { all, first, insert, select, sql, update } from "../../../db/scoped.ts";
import {
  type Actor,
  type Decider,
  idsOf,
  keyOfActor,
  type StoredActor,
  storable,
  storedActor,
  unite,
  withDeciders,
} from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { originsWith, wakeRun } from "../../tasks/public.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { findPlan } from "../versions/plans.ts";
import { originOfStep, runJson, stepJson } from "./rules.ts";
import { startRun } from "./start.ts";

// Runs of missions: the service makes their workflows, which are hidden in lists.

export interface MissionVersion {
  readonly workflow: string;
  readonly number: number;
  readonly id: string;
}

/** Freezes the next version of a mission's workflow, which is made with the first. */
export async function saveMissionVersion(
  ctx: WriteContext,
  {
    agents,
    definition,
    note,
  }: { readonly agents: readonly string[]; readonly definition: WorkflowDefinition; readonly note: string },
): Promise<MissionVersion> {
  const { workflow } = definition;
  const [now, json] = [new Date(ctx.now), JSON.stringify(definition)];
  const row = {
    name: workflow,
    description: definition.description ?? "",
    owner: ctx.principal.id,
    draft: json,
    agents: [...agents],
    hidden: true,
  };
  const made = insert(ctx, "workflows", { ...row, created_at: now, updated_at: now, updated_by: ctx.principal.id });
  await all(
    ctx,
    made.onConflict((on) => on.columns(["organization", "name"]).doUpdateSet({ draft: json, updated_at: now })),
  );
  const newest = select(ctx, "workflow_versions", "v").select(
    sql<number>`coalesce(max(v.number), 0)::int`.as("number"),
  );
  const number = ((await first(ctx, newest.where("v.workflow", "=", workflow)))?.number ?? 0) + 1;
  const id = ctx.newId("wfv");
  const digest = createHash("sha256").update(canonicalJson(definition)).digest("hex");
  const version = { id, workflow, number, definition: json, digest, note: note.slice(0, 500), agents: [...agents] };
  await all(ctx, insert(ctx, "workflow_versions", { ...version, author: ctx.principal.id, created_at: now }));
  return { workflow, number, id };
}

interface StartMissionRun {
  readonly mission: string;
  readonly version: MissionVersion;
  readonly input: unknown;
  readonly labels: readonly string[];
}

/** Starts a run for a mission in the name of an actor. The operation `emits` `workflow.run.started`. */
export async function startMissionRun(
  ctx: WriteContext,
  actor: Actor,
  { version, ...rest }: StartMissionRun,
): Promise<string> {
  const plan = (await findPlan(ctx, version.id)) as Plan;
  return (await startRun(ctx, actor, { ...rest, version: { ...version, plan }, trigger: "mission" })).id;
}

export const openRunsOf = async (ctx: QueryContext, mission: string): Promise<string[]> => {
  const runs = select(ctx, "workflow_runs", "r").select("r.id").where("r.mission", "=", mission);
  return (await all(ctx, runs.where("r.finished_at", "is", null))).map(({ id }) => id);
};

/** Requests open runs to pause, resume or end; they do so at their next advance. */
export async function askOfRuns(
  ctx: WriteContext,
  runs: readonly string[],
  asked: "pause" | "resume" | "cancel",
): Promise<void> {
  if (runs.length === 0) return;
  const journal =
    asked === "resume"
      ? sql<string>`(journal::jsonb - 'asked')::text`
      : sql<string>`(journal::jsonb || ${JSON.stringify({ asked })}::jsonb)::text`;
  const changed = update(ctx, "workflow_runs").set((r) => ({
    journal,
    revision: r("revision", "+", 1),
    updated_at: new Date(ctx.now),
  }));
  const open = changed.where("id", "in", [...runs]).where("finished_at", "is", null);
  for (const { id } of await all(ctx, open.returning("id"))) ctx.enqueue(wakeRun(ctx.scope, id));
}

/** A run's persons as deciders of `object`: whoever it acted for set its work. */
const asDeciders = (persons: readonly Decider[], object: string): Decider[] =>
  persons.map((one) => (one.of === null ? { ...one, how: "planned", of: object } : one));

/** Gives an open run another owner. Its former persons decided what it does, as deciders of `object`. */
export async function giveMissionRun(ctx: WriteContext, run: string, actor: Actor, object: string): Promise<void> {
  const before = await lockOpenRun(ctx, run);
  if (!before) return;
  const now = new Set(idsOf(actor.persons));
  const others = before.persons.filter(({ id, of }) => of !== null || !now.has(id));
  const acts = withDeciders(actor, asDeciders(others, object));
  const changed = { actor: storable(acts), principal: actor.owner, key_id: keyOfActor(actor) };
  await all(ctx, update(ctx, "workflow_runs").set(changed).where("id", "=", run));
}

/** Adds persons who decide what a run does from now on. */
export async function countInMissionRun(ctx: WriteContext, run: string, added: readonly Decider[]): Promise<void> {
  const before = await lockOpenRun(ctx, run);
  if (!before) return;
  const actor = storable({ ...before, persons: unite(before.persons, added) });
  await all(ctx, update(ctx, "workflow_runs").set({ actor }).where("id", "=", run));
}

async function lockOpenRun(ctx: WriteContext, run: string): Promise<StoredActor | undefined> {
  const own = select(ctx, "workflow_runs", "r").select("r.actor").where("r.id", "=", run);
  const row = await first(ctx, own.where("r.finished_at", "is", null).forUpdate());
  return row && storedActor(row.actor);
}

/** Everybody who decided the results of a mission's runs, as deciders of `object`. */
export async function decidersOfMissionRuns(
  { db, scope }: WriteContext,
  mission: string,
  object: string,
): Promise<Decider[]> {
  const rows = await db.query<{ persons: readonly Decider[] }>(
    `with runs as (select * from workflow_runs where organization = $1 and environment = $2 and mission = $3)
     select actor -> 'persons' as persons from runs where actor is not null
     union all select input_deciders from runs where input_deciders is not null
     union all select s.deciders from runs r join workflow_steps s
       on s.organization = r.organization and s.environment = r.environment and s.run_id = r.id where s.deciders is not null
     union all select i.deciders from runs r join workflow_items i
       on i.organization = r.organization and i.environment = r.environment and i.run_id = r.id where i.deciders is not null`,
    [scope.organization, scope.environment, mission],
  );
  return unite(...rows.map(({ persons }) => asDeciders(persons, object)));
}

/** Items of a step without a task, all for one reason. */
interface UnmadeTasks {
  readonly run: string;
  readonly step: string;
  readonly code: string;
  readonly detail: string;
  readonly count: number;
  /** Positions of the first items, from 1; empty: the step is one task. */
  readonly items: readonly number[];
}

const mostItemsNamed = 10;

/** Planned work without a task, by step and reason; of a repeated loop, by its last attempt. */
export const listUnmadeTasks = ({ db, scope }: QueryContext, missions: readonly string[]) =>
  db.query<UnmadeTasks & { readonly mission: string }>(
    `with unmade as (
       select r.mission, r.id as run, s.step, i.number + 1 as number, i.failure from workflow_runs r
       join workflow_steps s on s.organization = r.organization and s.environment = r.environment and s.run_id = r.id
       join workflow_items i on i.organization = s.organization and i.environment = s.environment and i.run_id = s.run_id
         and i.step = s.step and i.attempt = s.attempt
       where r.organization = $1 and r.environment = $2 and r.mission = any($3::text[])
         and i.failure is not null and i.task_id is null and i.child_run is null
       union all
       select r.mission, r.id, s.step, null, s.refusal from workflow_runs r
       join workflow_steps s on s.organization = r.organization and s.environment = r.environment and s.run_id = r.id
       where r.organization = $1 and r.environment = $2 and r.mission = any($3::text[]) and s.refusal is not null and s.task_id is null)
     select mission, run, step, failure::json ->> 'code' as code, failure::json ->> 'detail' as detail, count(*)::int as count,
       coalesce((array_agg(number order by number) filter (where number is not null))[:${mostItemsNamed}], '{}') as items
     from unmade group by 1, 2, 3, 4, 5 order by 1, 2, 3, count(*) desc, 4, 5`,
    [scope.organization, scope.environment, missions],
  );

/** Open tasks and loop items of a run. */
export async function countUnended({ db, scope }: QueryContext, run: string): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    `select (select count(*) from ${taskRows} t where t.organization = $1 and t.environment = $2 and t.run_id = $3 and t.finished_at is null)::int
       + (select count(*) from workflow_items i join workflow_steps s
            on s.organization = i.organization and s.environment = i.environment and s.run_id = i.run_id and s.step = i.step and s.attempt = i.attempt
          where i.organization = $1 and i.environment = $2 and i.run_id = $3 and i.status in ('pending', 'running') and s.status = 'completed')::int as n`,
    [scope.organization, scope.environment, run],
  );
  return row?.n ?? 0;
}

/** The state of a mission's run, with its ended steps. */
export interface MissionRunEnd {
  readonly status: string;
  readonly input: unknown;
  readonly failure: { readonly code: string; readonly detail: string } | null;
  readonly steps: readonly {
    readonly step: string;
    readonly status: string;
    readonly output: unknown;
    readonly failure: { readonly code: string; readonly detail: string } | null;
    /** A write succeeded and was not undone. */
    readonly hasWritten: boolean;
  }[];
}

export async function readMissionRun(ctx: QueryContext, run: string): Promise<MissionRunEnd | undefined> {
  const row = await first(ctx, select(ctx, "workflow_runs", "r").selectAll("r").where("r.id", "=", run));
  if (!row) return undefined;
  const columns = select(ctx, "workflow_steps", "s").select(["s.step", "s.status", "s.output", "s.failure"]);
  const steps = await all(ctx, columns.where("s.run_id", "=", run).orderBy("s.changed_as"));
  const origins = steps.map(({ step }) => originOfStep(row, step));
  const written = new Set(await originsWith(ctx, origins, "done"));
  return {
    status: row.status,
    input: runJson(row, "input"),
    failure: runJson(row, "failure"),
    steps: steps.map(({ step, status, output, failure }) => ({
      step,
      status,
      output: stepJson({ output }, "output"),
      failure: stepJson({ failure }, "failure"),
      hasWritten: written.has(originOfStep(row, step)),
    })),
  };
}
