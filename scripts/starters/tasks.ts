import { disagreements } from "./faults.ts";
import type { Json, Starter, Trial } from "./files.ts";
import type { Course } from "./make.ts";

export interface Tried {
  readonly skill: string;
  readonly input: Json;
  readonly status: string;
  readonly output: Json | null;
  readonly trust_score: number;
  /** Whether a person had to approve it first. */
  readonly approved: boolean;
  /** Fields that are not as expected; none: the task gave what `try.json` says. */
  readonly disagrees: readonly string[];
}

/** Dispatches the tasks of `try.json`; what waits for people is approved, as the person who tries it would. */
export async function tryTasks(course: Course, { trials }: Starter, agent: string): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const trial of trials) tried.push(await tryTask(course, agent, trial));
  return tried;
}

async function tryTask({ aos, say }: Course, agent: string, { skill, input, output }: Trial): Promise<Tried> {
  const { task_id: task } = await aos.agents.dispatchTask({ agent, task: skill, input } as never);
  let result = await aos.tasks.readTaskResult({ task }, { wait: 2 });
  const approved = result.status === "awaiting_approval";
  if (approved) {
    const { digest } = await aos.approvals.readApproval({ approval: task });
    await aos.approvals.approve({ approval: task, digest, reason: "Tried with the starter." });
  }
  for (let tries = 0; !result.final && tries < 6; tries++)
    result = await aos.tasks.readTaskResult({ task }, { wait: 30 });
  const disagrees = disagreements(output, result.output);
  say(
    `task ${skill}: ${result.status}, ${disagrees.length === 0 ? "as expected" : `not as expected: ${disagrees.join(", ")}`}`,
  );
  const { status, trust_score } = result;
  return { skill, input, status, output: result.output, trust_score, approved, disagrees };
}
