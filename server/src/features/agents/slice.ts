import { defineSlice } from "../../kernel/slice.ts";
import { canarySweep } from "./canary-sweep.ts";
import { evidenceFacts } from "./evidence-facts.ts";
import { evidenceSweep } from "./evidence-sweep.ts";
import { agentFacts } from "./facts.ts";
import { createTrainingJob } from "./jobs/training-job.ts";
import { trainingSweep } from "./jobs/training-sweep.ts";
import type { PreviewPort } from "./ports.ts";
import * as schemas from "./schemas.ts";
import { trainingJobName } from "./training-model.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    dep: "deployments";
    trn: "trainings";
    ver: "versions of agents";
  }
}

declare module "../../kernel/slice.ts" {
  interface SlicePorts {
    readonly previews: PreviewPort;
  }
}

export const slice = defineSlice({
  about: "Agents, their versions and deployments, and dispatching tasks.",
  schemas,
  actions: {
    "agent.archive": {},
    "agent.canary": {},
    "agent.change": {},
    "agent.create": {},
    "agent.deploy": {},
    "agent.freeze": {},
    "agent.pause": { neverDenied: true },
    "agent.preview": {},
    "agent.read": {},
    "agent.restore": {},
    "agent.resume": {},
    "agent.rollback": {},
    "agent.train": {},
    "agent.transfer": {},
  },
  facts: [agentFacts, evidenceFacts],
  sweeps: [evidenceSweep, canarySweep],
  jobs: [{ name: trainingJobName, sweep: trainingSweep, handler: (parts) => createTrainingJob(parts) }],
});
