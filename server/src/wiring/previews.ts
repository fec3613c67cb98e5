import type { PreviewPort } from "../features/agents/ports.ts";
import { createSkillMachines, type SkillMachines, type SkillParts } from "./skills.ts";

/** Previews at a time in one process: each holds a connection to the database while it runs. */
const mostAtATime = 3;

/** `inside`: makes the calls of the service itself that a run consists of. */
type Started = Pick<SkillParts, "inside" | "port">;

/** Runs previews in a process that serves the API. What runs skills is made for the first of them. */
export function createPreviews(all: Omit<SkillParts, "inside" | "port" | "telemetry">) {
  // A worker in the same process has entered its figures of runs; previews are no runs of tasks.
  const { telemetry: _telemetry, ...parts } = all as Omit<SkillParts, "inside" | "port">;
  let started: Started | undefined;
  let machines: SkillMachines | undefined;
  let running = 0;
  const port: PreviewPort = {
    async run(request) {
      if (running >= mostAtATime) return null;
      if (!started) throw new Error("Previews run once the pipeline is there: call `start` first.");
      machines ??= createSkillMachines({ ...parts, ...started });
      running++;
      try {
        return await machines.runner.run(request);
      } finally {
        running--;
      }
    },
  };
  return {
    ...port,
    start(given: Started): void {
      started = given;
    },
    async close(): Promise<void> {
      await machines?.close();
    },
  };
}
