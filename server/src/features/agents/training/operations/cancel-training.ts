import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { AgentName, TrainingJob, TrainingJobId } from "../../schemas.ts";
import { exampleTraining } from "../example.ts";
import { seenTraining, trainingView } from "../rules.ts";
import { endTraining, findTraining } from "../store.ts";

export const cancelTraining = defineOperation({
  id: "agents.cancelTraining",
  method: "POST",
  path: "/v1/agents/{agent}/training/{job}/cancel",
  summary: "Stop a training job",
  description:
    "Cancels a job that has not ended; its worker stops within a second or two. A candidate that is frozen already stays, deployed nowhere.",
  params: Type.Object({ agent: AgentName, job: TrainingJobId }),
  output: TrainingJob,
  example: {
    params: { agent: "sales", job: exampleTraining.job_id },
    output: {
      ...exampleTraining,
      state: "cancelled",
      phase: "cancelled",
      progress: 0.4,
      version: null,
      version_id: null,
      metrics: null,
      seconds: null,
    },
  },
  permission: "agents:write",
  async load(ctx, { agent, job }) {
    const row = await findTraining(ctx, job);
    return row?.agent === agent ? row : undefined;
  },
  gate: exempt("stops work, starts none"),
  decides: exempt("stops a training; its candidate is dropped"),
  compliance: governs("agent.train", seenTraining),
  audit: ({ params }) => `training:${params.job}`,
  errors: [conflict],
  async handle(ctx, { loaded }) {
    const failure = { code: "cancelled", detail: `Cancelled by ${ctx.principal.id}.` };
    const ended = await endTraining(ctx, {
      id: loaded.id,
      to: "cancelled",
      phase: "cancelled",
      failure,
      attempt: null,
    });
    if (!ended)
      throw refuse(
        conflict,
        `The training job is ${(await findTraining(ctx, loaded.id))?.state}; it has ended already.`,
      );
    return trainingView(ended);
  },
});
