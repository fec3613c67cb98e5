import { Type } from "typebox";
import { WorkflowRunId } from "./runs-schemas.ts";

/** The workflow of a path. A name begins with a letter, so `-` is none. */
export const WorkflowInPath = Type.String({
  pattern: "^(?:[a-z][a-z0-9_-]{0,63}|-)$",
  description: "The workflow's name; `-` where only the run is known.",
});
export const RunParams = Type.Object({ workflow: WorkflowInPath, run: WorkflowRunId });
export interface RunParams {
  readonly workflow: string;
  readonly run: string;
}
export const WorkflowParams = Type.Object({
  workflow: Type.String({ pattern: "^[a-z][a-z0-9_-]{0,63}$", description: "The workflow's name." }),
});
