import type { Scope } from "../kernel/principal.ts";
import type { Ending } from "./endings.ts";
import type { RunProgress } from "./loop.ts";
import type { Models } from "./models.ts";
import type { LoopPort, SkillRun } from "./port.ts";
import type { Remote } from "./remote.ts";
import { runTask } from "./run-task.ts";
import { orAborted } from "./signals.ts";
import { noRunWatch, type RunWatch } from "./watch.ts";

export interface SkillParts {
  readonly models: Models;
  readonly remote: Remote;
  readonly report: (error: unknown) => void;
  /** Default: nobody hears of runs. */
  readonly watch?: RunWatch;
}

/** One run of a skill, in a task or outside of one. */
export interface Performance {
  readonly scope: Scope;
  readonly port: LoopPort;
  readonly run: SkillRun;
  readonly signal: AbortSignal;
  readonly progress: RunProgress;
  /** In place of the version's own seed. */
  readonly seed?: number;
  /** By the built-in model as it is before it has learnt anything. */
  readonly untrained?: boolean;
}

/** Runs skills: makes model and tools ready, then the loop. */
export interface Skills {
  perform(performance: Performance): Promise<Ending>;
}

export function createSkills({ models, remote, report, watch = noRunWatch }: SkillParts): Skills {
  const perform = async ({
    scope,
    port,
    run,
    signal,
    progress,
    seed,
    untrained = false,
  }: Performance): Promise<Ending> => {
    const [found, described] = await orAborted(
      signal,
      Promise.all([untrained ? models.untrained : models.find(scope, run), remote.describe(scope, run.tools, signal)]),
    );
    if ("failure" in found) return { kind: "failed", ...found };
    if ("failure" in described) return { kind: "failed", ...described };
    const callRemote = remote.callIn(scope);
    const whole = { ...run, tools: described.tools };
    return runTask({
      ...found,
      port,
      run: whole,
      callRemote,
      signal,
      progress,
      report,
      watch,
      ...(seed === undefined ? {} : { seed }),
    });
  };
  return { perform: (performance) => watch.run(performance.run, () => perform(performance)) };
}
