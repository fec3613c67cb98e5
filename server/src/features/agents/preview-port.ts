import type { SkillOutcome, SkillRunner } from "../../kernel/skill-runner.ts";

/** Runs skills for previews, in the process that serves the call. */
export interface PreviewPort {
  /** Null: too many run already. */
  run(request: Parameters<SkillRunner["run"]>[0]): Promise<SkillOutcome | null>;
}
