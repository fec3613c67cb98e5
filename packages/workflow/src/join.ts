import type { PlannedStep } from "./plan.ts";
import { type Failure, isMet, isOver, type StepState } from "./state.ts";

export type Joined =
  | "open"
  | { readonly ok: true; readonly output: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly failure: Failure };

/** Whether enough branches have ended well, or no longer can. The output says of each branch how it ended. */
export function joinOf({ branches, step }: PlannedStep, at: (id: string) => StepState): Joined {
  const ends = branches.map(([name, steps]) => {
    const broken = steps.find((id) => isOver(at(id)) && !isMet(at(id)));
    const end = broken !== undefined ? "failed" : steps.every((id) => isOver(at(id))) ? "completed" : "cancelled";
    return { name, end, broken };
  });
  const join = step.parallel?.join ?? "all";
  const needed = join === "all" ? branches.length : join === "any" ? 1 : Math.min(join, branches.length);
  const well = ends.filter(({ end }) => end === "completed").length;
  if (well >= needed) return { ok: true, output: Object.fromEntries(ends.map(({ name, end }) => [name, end])) };
  const broken = ends.filter(({ end }) => end === "failed");
  if (branches.length - broken.length >= needed) return "open";
  const first = broken[0]?.broken as string;
  const { code, detail } = at(first).failure ?? { code: at(first).status, detail: "It did not complete." };
  return { ok: false, failure: { code, detail: `${first}: ${detail}` } };
}
