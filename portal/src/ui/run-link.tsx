import type { Schema } from "../api/types.ts";

type RunOfTask = NonNullable<Schema<"Task">["run"]>;

/** Leads to the run of a workflow whose step a task carries out. */
export function RunLink({ run: { run_id, workflow, step } }: { readonly run: RunOfTask }) {
  return (
    <a
      href={`/workflows/${encodeURIComponent(workflow)}/runs/${encodeURIComponent(run_id)}`}
      className="font-medium text-accent underline underline-offset-2"
    >
      {workflow}, step {step}
    </a>
  );
}
