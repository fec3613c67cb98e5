import type { JobSpec } from "../../kernel/append.ts";
import type { Scope } from "../../kernel/principal.ts";

/** The job that looks at a mission whose run has ended. */
export const settleMissionJob = "settle_mission";

/** Wakes the mission that a run works for. */
export function wakeMission({ organization, environment }: Scope, mission: string, run: string): JobSpec {
  return {
    task: settleMissionJob,
    payload: { organization, environment, mission, run },
    key: `mission ${mission} ${run}`,
  };
}
