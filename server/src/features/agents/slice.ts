import { defineSlice } from "../../kernel/slice.ts";
import { canarySweep } from "./deployments/operations/decide-canary.ts";
import { agentFacts } from "./facts.ts";
import * as schemas from "./schemas.ts";
import { createTrainingJob, trainingSweep } from "./training/jobs/training-job.ts";
import { trainingJobName } from "./training/rules.ts";
import { evidenceFacts } from "./trust/facts.ts";
import { evidenceSweep } from "./trust/operations/fit-skill.ts";

declare module "../../kernel/ids.ts" {
  interface IdPrefixes {
    dep: "deployments";
    trn: "trainings";
    ver: "versions of agents";
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
