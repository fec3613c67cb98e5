import { defineProblem, type Fault, type Refusal, refuse } from "../../kernel/errors.ts";
import { invalidBody } from "../../kernel/problems.ts";

export const datasetExists = defineProblem({
  code: "dataset_exists",
  status: 409,
  title: "A dataset with this name exists",
  cause: "Names of datasets are unique in the organization, because runs and gates may refer to them by name.",
  remedy:
    "Add items to the existing dataset with POST /v1/evaluations/datasets/{dataset}/items, or choose another name.",
  retryable: false,
});

export const fault = (pointer: string, code: string, detail: string): Fault => ({ pointer, code, detail });

/** For faults that only stored data shows. */
export function invalid(errors: readonly Fault[]): Refusal {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return refuse(invalidBody, `${first?.pointer}: ${first?.detail}${more}`, { errors: errors.slice(0, 100) });
}

export function refuseFaults(errors: readonly Fault[]): void {
  if (errors.length > 0) throw invalid(errors);
}

export const unknownAgent = (agent: string) =>
  invalid([fault("/agent", "unknown_agent", `names no agent; there is no ${agent}`)]);
export const unknownSkill = (agent: string) =>
  invalid([fault("/skill", "unknown_skill", `names no skill of ${agent}, neither of its draft nor of a version`)]);
