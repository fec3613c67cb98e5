/** The step of a workflow's run that a task carries out. */
interface RunOfTask {
  readonly run_id: string;
  readonly workflow: string;
  readonly step: string;
}

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
