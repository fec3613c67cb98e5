import { counted } from "../kernel/count.ts";
import type { Ending } from "./endings.ts";
import type { RunProgress } from "./loop.ts";
import type { LoopPort, SkillRun } from "./port.ts";
import { orAborted } from "./signals.ts";

/** How often a run is asked about stops while it is in a step, in milliseconds. That looks into memory only. */
const lookEveryMs = 100;

/** No tool and no model: what stops the whole run. */
const neither = { tool: null, model: null } as const;

class OutOfTime extends Error {}
class Stopped extends Error {}

interface Bounded {
  readonly run: SkillRun;
  readonly port: Pick<LoopPort, "holdOf">;
  /** Breaks the run off: its reason is thrown. */
  readonly signal: AbortSignal;
}

/** What the work is to heed, and where it says what it is in. */
interface Within {
  readonly signal: AbortSignal;
  readonly progress: RunProgress;
}

/** Ends a run outside of tasks when the skill's time is over, or a stop reaches it or the call that it is in. A pause waits for the end of the step. */
export async function bounded(
  { run, port, signal: outer }: Bounded,
  work: (within: Within) => Promise<Ending>,
): Promise<Ending> {
  const progress: RunProgress = { tool: null, model: null };
  const end = new AbortController();
  const limit = setTimeout(() => end.abort(new OutOfTime()), run.limits.seconds * 1000);
  const look = setInterval(() => {
    if (isStopped(port, progress)) end.abort(new Stopped());
  }, lookEveryMs);
  const signal = AbortSignal.any([outer, end.signal]);
  try {
    return await orAborted(signal, work({ signal, progress }));
  } catch (error) {
    if (error instanceof Stopped) return { kind: "held", ...(isStopped(port, neither) ? neither : progress) };
    if (error instanceof OutOfTime) return { kind: "failed", failure: overTime(run) };
    throw error;
  } finally {
    clearTimeout(limit);
    clearInterval(look);
  }
}

/** Where nobody can tell at this moment, the run goes on, and asks itself before its next step. */
function isStopped(port: Pick<LoopPort, "holdOf">, using: Readonly<RunProgress>): boolean {
  try {
    return port.holdOf(using) === "stop";
  } catch {
    return false;
  }
}

const overTime = ({ skill, limits }: SkillRun) => ({
  code: "time_limit",
  detail: `${skill} did not end within its limit of ${counted(limits.seconds, "second")}.`,
});
