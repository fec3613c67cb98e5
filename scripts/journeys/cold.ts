import type { Course, MadeAgent } from "./course.ts";
import type { Case } from "./definition.ts";
import { runWave } from "./tasks.ts";

/** What tasks on a model came to that the process had not loaded yet, and the same tasks on it once it was loaded. */
export interface ColdFigures {
  readonly tasks: number;
  /** Tasks that did not complete, of either wave. */
  readonly failed: number;
  readonly seconds: number;
  readonly warmSeconds: number;
}

/**
 * Puts a version live that nothing has run yet and gives it these tasks at once, twice. Before, the version before it runs them, so that the process is warm in all
 * else; afterwards that one is live again.
 */
export async function runCold(
  { call, say }: Course,
  made: MadeAgent,
  version: number,
  cases: readonly Case[],
): Promise<ColdFigures> {
  const deploy = (number: number) =>
    call("POST", `/v1/agents/${made.agent}/deployments`, {
      body: { version: number, note: "To see how a cold model does." },
    });
  const wave = async (label: string) => {
    const { tasks, seconds } = await runWave(call, { ...made, label, cases });
    return { failed: tasks.filter(({ status }) => status !== "completed").length, seconds };
  };
  await deploy(version - 1);
  await wave("warming-up");
  await deploy(version);
  const cold = await wave("cold");
  const warm = await wave("warm");
  await deploy(version - 1);
  const failed = cold.failed + warm.failed;
  say(
    `${cases.length} tasks on a cold model in ${cold.seconds.toFixed(2)} s, on a warm one in ${warm.seconds.toFixed(2)} s; ${failed} failed`,
  );
  return { tasks: cases.length, failed, seconds: cold.seconds, warmSeconds: warm.seconds };
}
