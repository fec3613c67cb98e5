import type { Operation } from "../../kernel/operation.ts";
import { describe } from "../../kernel/operation-seal.ts";
import { definePort } from "../../kernel/port.ts";
import type { SlicePorts } from "../../kernel/slice.ts";

/** The operations of other slices by which installs are made, changed and removed. */
export const installCallIds = [
  "agents.archiveAgent",
  "agents.bindTool",
  "agents.changeDraft",
  "agents.createAgent",
  "agents.freezeVersion",
  "agents.restoreAgent",
  "agents.unbindTool",
  "evaluations.addItems",
  "evaluations.createDataset",
  "evaluations.setGate",
  "evaluations.setScorer",
  "governance.createPolicy",
  "governance.replacePolicy",
  "governance.retirePolicy",
  "knowledge.addDocuments",
  "knowledge.changeBase",
  "knowledge.createBase",
  "knowledge.deleteBase",
  "knowledge.deleteDocument",
  "workflows.archiveWorkflow",
  "workflows.createWorkflow",
  "workflows.replaceDraft",
] as const;
export type InstallCallId = (typeof installCallIds)[number];

/** Finds one of them as it is in the registry that was made over the ports. */
export const installCalls = definePort<(ports: SlicePorts, id: InstallCallId) => Operation>("calls of installs");

/** The permission that such a call needs. */
export function permissionOf(ports: SlicePorts, id: InstallCallId): string {
  const { permission } = describe(installCalls()(ports, id));
  return typeof permission === "string" ? permission : "";
}
