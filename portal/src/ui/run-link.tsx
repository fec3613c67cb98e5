import { Link } from "@tanstack/react-router";

interface RunOfTask {
  readonly run_id: string;
  readonly workflow: string;
  readonly step: string;
}

/** Leads to the run of a workflow whose step a task carries out. */
export function RunLink({ run: { run_id: run, workflow, step } }: { readonly run: RunOfTask }) {
  return (
    <Link
      to="/workflows/$workflow/runs/$run"
      params={{ workflow, run }}
      search={{ step }}
      className="font-medium text-accent underline underline-offset-2"
    >
      {workflow}, step {step}
    </Link>
  );
}
