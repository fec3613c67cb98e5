import { archiveAgent } from "../features/agents/operations/archive-agent.ts";
import { bindTool } from "../features/agents/operations/bind-tool.ts";
import { changeDraft } from "../features/agents/operations/change-draft.ts";
import { createAgent } from "../features/agents/operations/create-agent.ts";
import { freezeVersion } from "../features/agents/operations/freeze-version.ts";
import { restoreAgent } from "../features/agents/operations/restore-agent.ts";
import { unbindTool } from "../features/agents/operations/unbind-tool.ts";
import { addItems } from "../features/evaluations/operations/add-items.ts";
import { createDataset } from "../features/evaluations/operations/create-dataset.ts";
import { setGate } from "../features/evaluations/operations/set-gate.ts";
import { setScorer } from "../features/evaluations/operations/set-scorer.ts";
import { createPolicy } from "../features/governance/operations/create-policy.ts";
import { replacePolicy } from "../features/governance/operations/replace-policy.ts";
import { retirePolicy } from "../features/governance/operations/retire-policy.ts";
import { addDocuments } from "../features/knowledge/operations/add-documents.ts";
import { changeBase } from "../features/knowledge/operations/change-base.ts";
import { createBase } from "../features/knowledge/operations/create-base.ts";
import { deleteBase } from "../features/knowledge/operations/delete-base.ts";
import { deleteDocument } from "../features/knowledge/operations/delete-document.ts";
import type { InstallCallId } from "../features/marketplace/install-calls.ts";
import { archiveWorkflow } from "../features/workflows/operations/archive-workflow.ts";
import { createWorkflow } from "../features/workflows/operations/create-workflow.ts";
import { replaceDraft } from "../features/workflows/operations/replace-draft.ts";
import type { Operation } from "../kernel/operation.ts";
import { PortedOperation, type SlicePorts } from "../kernel/slice.ts";

const calls: Readonly<Record<InstallCallId, Operation | PortedOperation>> = {
  "agents.archiveAgent": archiveAgent,
  "agents.bindTool": bindTool,
  "agents.changeDraft": changeDraft,
  "agents.createAgent": createAgent,
  "agents.freezeVersion": freezeVersion,
  "agents.restoreAgent": restoreAgent,
  "agents.unbindTool": unbindTool,
  "evaluations.addItems": addItems,
  "evaluations.createDataset": createDataset,
  "evaluations.setGate": setGate,
  "evaluations.setScorer": setScorer,
  "governance.createPolicy": createPolicy,
  "governance.replacePolicy": replacePolicy,
  "governance.retirePolicy": retirePolicy,
  "knowledge.addDocuments": addDocuments,
  "knowledge.changeBase": changeBase,
  "knowledge.createBase": createBase,
  "knowledge.deleteBase": deleteBase,
  "knowledge.deleteDocument": deleteDocument,
  "workflows.archiveWorkflow": archiveWorkflow,
  "workflows.createWorkflow": createWorkflow,
  "workflows.replaceDraft": replaceDraft,
};

/** The operation that installs call by this id, as it is in the registry over these ports. */
export function findInstallCall(ports: SlicePorts, id: InstallCallId): Operation {
  const call = calls[id];
  return call instanceof PortedOperation ? call.make(ports) : call;
}
