import { accountableFaults } from "./accountable.ts";
import { agentFaults } from "./agents.ts";
import { bundleFaults } from "./bundles.ts";
import { callFaults } from "./call.ts";
import { channelFaults } from "./chat-channels.ts";
import { chatTokenFaults } from "./chat-tokens.ts";
import { chatTurnFaults } from "./chat-turns.ts";
import { connectorFaults } from "./connectors.ts";
import { documentFaults } from "./documents.ts";
import type { Fault } from "./fault.ts";
import { figureFaults } from "./figures.ts";
import { governanceFaults } from "./governance.ts";
import { ingestFaults } from "./ingest.ts";
import { installFaults } from "./installs.ts";
import { catalogueFaults } from "./marketplace-catalogue.ts";
import { missionFaults } from "./missions.ts";
import { outsideFaults } from "./outside.ts";
import { qualityFaults } from "./quality.ts";
import { searchFaults } from "./search.ts";
import { stepFaults } from "./steps.ts";
import { triggerFaults } from "./triggers.ts";
import { workFaults } from "./work.ts";
import { workflowCoreFaults } from "./workflow-core.ts";
import { workflowDefinitionFaults } from "./workflow-definitions.ts";
import { workflowRunFaults } from "./workflow-runs.ts";

/** Every fault that `npm run faults` plants. */
export const faults: readonly Fault[] = [
  ...accountableFaults,
  ...callFaults,
  ...documentFaults,
  ...governanceFaults,
  ...workFaults,
  ...workflowRunFaults,
  ...outsideFaults,
  ...connectorFaults,
  ...searchFaults,
  ...ingestFaults,
  ...missionFaults,
  ...catalogueFaults,
  ...qualityFaults,
  ...figureFaults,
  ...channelFaults,
  ...chatTokenFaults,
  ...workflowDefinitionFaults,
  ...workflowCoreFaults,
  ...stepFaults,
  ...triggerFaults,
  ...chatTurnFaults,
  ...agentFaults,
  ...bundleFaults,
  ...installFaults,
];
