import type { JobParts } from "../../../../kernel/machines.ts";
import { type Environment, environments, type Scope } from "../../../../kernel/principal.ts";
import type { Job } from "../../../../kernel/slice.ts";
import { advanceRunJob } from "../../../tasks/public.ts";
import { createEngine, type DueRun, type Engine } from "../engine.ts";
import { advanceRunsJob, createDueSweep } from "./due-sweep.ts";

/** The jobs of one process share an engine, so that runs of both kinds advance together. */
const engines = new WeakMap<JobParts, Engine>();

function engineOf(parts: JobParts): Engine {
  const engine = engines.get(parts) ?? createEngine(parts);
  engines.set(parts, engine);
  return engine;
}

const dueSweep = createDueSweep();

/** A job that throws is repeated. */
export const advanceJobs: readonly Job[] = [
  {
    name: advanceRunJob,
    sweep: dueSweep,
    handler: (parts) => async (payload) => {
      const scope = scopeOf(payload);
      const { run } = (payload ?? {}) as { run?: unknown };
      if (scope && typeof run === "string") await engineOf(parts).look(scope, [run]);
    },
  },
  {
    name: advanceRunsJob,
    sweep: dueSweep,
    handler: (parts) => async (payload) => {
      const scope = scopeOf(payload);
      const { runs } = (payload ?? {}) as { runs?: readonly DueRun[] };
      if (scope && Array.isArray(runs)) await engineOf(parts).lookWhenDue(scope, runs);
    },
  },
];

function scopeOf(payload: unknown): Scope | undefined {
  const { organization, environment } = (payload ?? {}) as Record<string, unknown>;
  if (typeof organization !== "string" || !environments.includes(environment as Environment)) return undefined;
  return { organization, environment: environment as Environment };
}
