import type { JobHandlers, JobParts } from "../../kernel/machines.ts";
import { type Environment, environments, type Scope } from "../../kernel/principal.ts";
import { advanceRunJob } from "../tasks/public.ts";
import { advanceRunsJob } from "./due-sweep.ts";
import { createEngine, type DueRun } from "./engine.ts";

/** The handlers of the jobs that look at runs. What throws is looked at again. */
export function createAdvanceJobs(parts: Pick<JobParts, "db" | "inside" | "clock">): JobHandlers {
  const engine = createEngine(parts);
  return {
    async [advanceRunJob](payload) {
      const scope = scopeOf(payload);
      const { run } = (payload ?? {}) as { run?: unknown };
      if (scope && typeof run === "string") await engine.look(scope, [run]);
    },
    async [advanceRunsJob](payload) {
      const scope = scopeOf(payload);
      const { runs } = (payload ?? {}) as { runs?: readonly DueRun[] };
      if (scope && Array.isArray(runs)) await engine.lookWhenDue(scope, runs);
    },
  };
}

function scopeOf(payload: unknown): Scope | undefined {
  const { organization, environment } = (payload ?? {}) as Record<string, unknown>;
  if (typeof organization !== "string" || !environments.includes(environment as Environment)) return undefined;
  return { organization, environment: environment as Environment };
}
