import type { Answer, ChangeInput, GetQuery } from "./client.ts";
import type { Schema } from "./types.ts";

export type WorkflowSummary = Schema<"WorkflowSummary">;
export type Workflow = Schema<"Workflow">;
export type Finding = Workflow["findings"][number];
export type WorkflowVersion = Answer<"/v1/workflows/{workflow}/versions/{version}">;
export type VersionChange = NonNullable<WorkflowVersion["diff"]>["changes"][number];
export type WorkflowRun = Schema<"WorkflowRun">;
export type RunDetail = Schema<"WorkflowRunDetail">;
export type RunStep = RunDetail["steps"][number];
export type RunControl = ChangeInput<"post", "/v1/workflows/{workflow}/runs/{run}/control">["body"];
export type DeadLetter = Answer<"/v1/workflows/dead-letters">["data"][number];
export type RunFilter = GetQuery<"/v1/workflows/runs">;
export type StartRun = NonNullable<ChangeInput<"post", "/v1/workflows/{workflow}/runs">["body"]>;

/** A workflow with the entity tag that a change of its draft has to send. */
export interface TaggedWorkflow {
  readonly value: Workflow;
  readonly etag: string;
}
export type Trigger = Answer<"/v1/workflows/{workflow}/triggers">["data"][number];
export type TriggerDefinition = ChangeInput<"post", "/v1/workflows/{workflow}/triggers">["body"]["definition"];
export type Hook = Answer<"/v1/hooks">["data"][number];
