import { planOf, type WorkflowDefinition } from "@aos/workflow";
import { all, rowsOf, select } from "../../db/scoped.ts";
import type { Looking } from "./plans.ts";

/** A version of a workflow that another one starts. */
export interface CalledVersion {
  readonly workflow: string;
  readonly number: number;
  /** Its agents, those of workflows that it starts included. */
  readonly agents: readonly string[];
  /** It is live in the environment of the call. */
  readonly live: boolean;
}

/** The versions that a definition's steps start: those that they name, and those that are live here. */
export async function calledVersions(ctx: Looking, definition: WorkflowDefinition): Promise<readonly CalledVersion[]> {
  const calls = planOf(definition).steps.flatMap(({ step }) => (step.workflow ? [step.workflow] : []));
  if (calls.length === 0) return [];
  const query = select(ctx, "workflow_versions", "v")
    .leftJoin(rowsOf(ctx, "workflow_releases", "r"), (on) =>
      on.onRef("r.workflow", "=", "v.workflow").onRef("r.version_number", "=", "v.number").on("r.ended_at", "is", null),
    )
    .select(["v.workflow", "v.number", "v.agents"])
    .select((is) => is("r.id", "is not", null).as("live"))
    .where("v.workflow", "in", [...new Set(calls.map(({ name }) => name))])
    .where((is) =>
      is.or([
        is("r.id", "is not", null),
        ...calls.flatMap(({ name, version }) =>
          version === undefined ? [] : [is.and([is("v.workflow", "=", name), is("v.number", "=", version)])],
        ),
      ]),
    );
  const found = await all(ctx, query);
  return found
    .map((row) => ({ ...row, live: row.live as boolean }))
    .filter(({ workflow, number, live }) =>
      calls.some(({ name, version }) => name === workflow && (version === undefined ? live : version === number)),
    );
}

/** The versions that are fixed by publishing: of workflows that are started without naming one. */
export function pinnedBy(definition: WorkflowDefinition, called: readonly CalledVersion[]): Record<string, number> {
  const open = planOf(definition).steps.flatMap(({ step: { workflow } }) =>
    workflow && workflow.version === undefined ? [workflow.name] : [],
  );
  const live = called.filter(({ workflow, live: isLive }) => isLive && open.includes(workflow));
  return Object.fromEntries(live.map(({ workflow, number }) => [workflow, number]));
}
