import { createHash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import type { Plan, WorkflowDefinition } from "@aos/workflow";
import { all, first, insert, select, sql, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { wakeRun } from "../tasks/public.ts";
import { findPlan, type Looking } from "./plans.ts";
import { startRun } from "./run-start.ts";

// Runs of missions: their workflows are made by the service, and not listed among those that people design.

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

export interface StartMissionRun {
  readonly mission: string;
  readonly version: MissionVersion;
  readonly input: unknown;
  readonly labels: readonly string[];
  /** Whose permissions it has. */
  readonly by: { readonly principal: string; readonly keyId: string | null };
}

/** Starts a run for a mission. The operation `emits` `workflow.run.started`. */
export async function startMissionRun(ctx: WriteContext, { version, ...rest }: StartMissionRun): Promise<string> {
  const plan = (await findPlan(ctx, version.id)) as Plan;
  return (await startRun(ctx, { ...rest, version: { ...version, plan }, trigger: "mission" })).id;
}

/** Runs of a mission that are not over. */
export const openRunsOf = async (ctx: Looking, mission: string): Promise<string[]> => {
  const runs = select(ctx, "workflow_runs", "r").select("r.id").where("r.mission", "=", mission);
  return (await all(ctx, runs.where("r.finished_at", "is", null))).map(({ id }) => id);
};

/** Asks runs that are not over to pause, to go on or to end; they do so at their next look. */
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

/** How a run of a mission stands, with the steps that ended. */
export interface MissionRunEnd {
  readonly status: string;
  readonly principal: string;
  readonly keyId: string | null;
  readonly input: unknown;
  readonly failure: { readonly code: string; readonly detail: string } | null;
  readonly steps: readonly {
    readonly step: string;
    readonly status: string;
    readonly output: unknown;
    readonly failure: { readonly code: string; readonly detail: string } | null;
  }[];
}

export async function readMissionRun(ctx: Looking, run: string): Promise<MissionRunEnd | undefined> {
  const row = await first(ctx, select(ctx, "workflow_runs", "r").selectAll("r").where("r.id", "=", run));
  if (!row) return undefined;
  const columns = select(ctx, "workflow_steps", "s").select(["s.step", "s.status", "s.output", "s.failure"]);
  const steps = await all(ctx, columns.where("s.run_id", "=", run).orderBy("s.changed_as"));
  const parsed = (text: string | null) => (text === null ? null : JSON.parse(text));
  return {
    ...{
      status: row.status,
      principal: row.principal,
      keyId: row.key_id,
      input: parsed(row.input),
      failure: parsed(row.failure),
    },
    steps: steps.map(({ step, status, output, failure }) => ({
      ...{ step, status, output: parsed(output), failure: parsed(failure) },
    })),
  };
}
