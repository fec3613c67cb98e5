import type { JobSpec } from "../../kernel/append.ts";
import type { Scope } from "../../kernel/principal.ts";

/** Wakes a worker for the next generation of a base. */
export const reindexJob = ({ organization, environment }: Scope, base: string): JobSpec => ({
  task: "knowledge.reindex",
  payload: { organization, environment, base },
  key: `knowledge.reindex ${base}`,
});
