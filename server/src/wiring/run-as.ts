import type { RunInside } from "../kernel/machines.ts";
import type { Inside } from "../pipeline/inside.ts";

/** Runs operations as `system:<job>`. */
export const runAs =
  (inside: Inside, job: string): RunInside =>
  (operation, scope, input) =>
    inside(operation, job, scope, input);
