import { compileUserSchema } from "@aos/json-schema";
import { all, first, insert, select, update } from "../../../db/scoped.ts";
import { type Decider, storable, storableDeciders, storedActor, unite } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { refuse } from "../../../kernel/errors.ts";
import { wakeRun } from "../../tasks/public.ts";
import { invalidCall, tooDeep, workflowNotThere } from "../errors.ts";
import { originOfStep, type RunRow, runJson } from "../runs/rules.ts";
import { type FrozenVersion, findVersion } from "../versions/plans.ts";

/** Depth of nested runs, at most. */
const deepest = 10;

/** The version that a step starts: the one it names, else the pinned one, else the live one. */
export async function findCalled(
  ctx: QueryContext,
  { pinned }: FrozenVersion,
  { workflow, version }: { readonly workflow: string; readonly version: number | null },
): Promise<FrozenVersion> {
  const number = version ?? pinned[workflow] ?? (await liveNumber(ctx, workflow));
  const row =
    number === undefined
      ? undefined
      : await first(
          ctx,
          select(ctx, "workflow_versions", "v")
            .select("v.id")
            .where("v.workflow", "=", workflow)
            .where("v.number", "=", number),
        );
  const found = row && (await findVersion(ctx, row.id));
  if (!found) throw refuse(workflowNotThere, `There is no version ${number ?? "live"} of ${workflow}.`);
  return found;
}

async function liveNumber(ctx: QueryContext, workflow: string): Promise<number | undefined> {
  const live = select(ctx, "workflow_releases", "r").select("r.version_number").where("r.workflow", "=", workflow);
  return (await first(ctx, live.where("r.ended_at", "is", null)))?.version_number;
}

/** Throws for input that the called workflow does not take. */
export function checkInput({ workflow, number, plan }: FrozenVersion, input: unknown): void {
  const schema = plan.definition.input;
  const compiled = schema && compileUserSchema(schema);
  const [fault] = compiled?.ok ? compiled.validate(input) : [];
  if (fault)
    throw refuse(
      invalidCall,
      `${workflow}, version ${number}, does not take what the step gives it: ${fault.pointer} ${fault.detail}.`,
    );
}

interface NewChild {
  readonly parent: RunRow;
  readonly step: string;
  /** Of a loop: the position of the item. */
  readonly item: number | undefined;
  readonly version: FrozenVersion;
  readonly input: unknown;
  readonly deciders: readonly Decider[];
  /** Who decided the start, besides the parent's own actor: the deciders of the parent's version. */
  readonly startedBy: readonly Decider[];
  readonly costLimitUsd: number | null;
}

/** Inserts a child run and wakes it. Returns its id. */
export async function insertChild(
  ctx: WriteContext,
  { parent, step, item, version, input, deciders, startedBy, costLimitUsd }: NewChild,
): Promise<string> {
  if (parent.depth >= deepest) throw refuse(tooDeep, `${parent.id} stands ${parent.depth} runs deep.`);
  const id = ctx.newId("wfr");
  const now = new Date(ctx.now);
  const { mission, principal, key_id, labels, traceparent } = parent;
  const own = storedActor(parent.actor);
  const actor = storable({ ...own, persons: unite(own.persons, startedBy) });
  const input_deciders = storableDeciders(deciders);
  await all(
    ctx,
    insert(ctx, "workflow_runs", {
      id,
      workflow: version.workflow,
      version_number: version.number,
      version_id: version.id,
      status: "queued",
      input: JSON.stringify(input),
      trigger: "workflow",
      parent_run: parent.id,
      parent_step: step,
      origin: originOfStep(parent, step, { item }),
      mission,
      principal,
      key_id,
      actor,
      input_deciders,
      labels,
      traceparent,
      depth: parent.depth + 1,
      cost_limit_usd: costLimitUsd,
      audit_ref: ctx.auditRef,
      created_at: now,
      updated_at: now,
      wake_at: now,
    }),
  );
  ctx.enqueue(wakeRun(ctx.scope, id));
  return id;
}

/** Requests a run and its children to end. One that has ended stays as it is. */
export async function cancelRun(ctx: WriteContext, id: string, compensate: boolean): Promise<boolean> {
  const row = await first(
    ctx,
    select(ctx, "workflow_runs", "r")
      .select(["r.journal", "r.revision"])
      .where("r.id", "=", id)
      .where("r.finished_at", "is", null)
      .forUpdate(),
  );
  if (!row) return false;
  const asked = compensate ? "cancel_and_compensate" : "cancel";
  const journal = JSON.stringify({ ...runJson(row, "journal"), asked });
  const changes = { journal, revision: row.revision + 1, updated_at: new Date(ctx.now) };
  await all(ctx, update(ctx, "workflow_runs").set(changes).where("id", "=", id));
  ctx.enqueue(wakeRun(ctx.scope, id));
  return true;
}
