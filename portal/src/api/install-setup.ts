import { type ChangeInput, get, getTagged, send } from "./client.ts";
import type { NextStep } from "./installs.ts";
import type { Schema } from "./types.ts";

// The calls that set an install up, as its next steps name them.

/** What a step started: something to wait for, or nothing. */
export type Started =
  | { readonly kind: "training"; readonly job: Schema<"TrainingJob"> }
  | { readonly kind: "run"; readonly run: string }
  | { readonly kind: "task"; readonly task: string }
  | { readonly kind: "nothing" };

type Call = (params: Readonly<Record<string, string>>, body: unknown, ifMatch: string | null) => Promise<Started>;

const nothing = { kind: "nothing" } as const;
const given = (params: Readonly<Record<string, string>>, name: string): string => params[name] ?? "";

const calls: Readonly<Record<string, Call>> = {
  "agents.startTraining": async (params, body) => ({
    kind: "training",
    job: await send("post", "/v1/agents/{agent}/training", {
      path: { agent: given(params, "agent") },
      body: body as Schema<"StartTrainingBody">,
    }),
  }),
  "evaluations.startRun": async (_params, body) => {
    const { run_id: run } = await send("post", "/v1/evaluations/runs", { body: body as Schema<"StartRunBody"> });
    return { kind: "run", run };
  },
  "evaluations.setGate": async (params, body, ifMatch) => {
    const path = { agent: given(params, "agent") };
    const headers = { "If-Match": ifMatch ?? (await getTagged("/v1/evaluations/gates/{agent}", { path })).etag };
    await send("put", "/v1/evaluations/gates/{agent}", { path, body: body as Schema<"SetGateBody">, headers });
    return nothing;
  },
  "governance.replacePolicy": async (params, body, ifMatch) => {
    const path = { policy: given(params, "policy") };
    const headers = { "If-Match": ifMatch ?? (await getTagged("/v1/governance/policies/{policy}", { path })).etag };
    await send("put", "/v1/governance/policies/{policy}", { path, body: body as Schema<"PolicyBody">, headers });
    return nothing;
  },
  "workflows.publishWorkflow": async (params) => {
    await send("post", "/v1/workflows/{workflow}/publish", { path: { workflow: given(params, "workflow") }, body: {} });
    return nothing;
  },
  "agents.deployVersion": async (params, body) => {
    await send("post", "/v1/agents/{agent}/deployments", {
      path: { agent: given(params, "agent") },
      body: body as Schema<"DeployVersionBody">,
    });
    return nothing;
  },
  "agents.dispatchTask": async (params, body) => {
    const { task_id: task } = await send("post", "/v1/agents/{agent}/tasks", {
      path: { agent: given(params, "agent") },
      body: body as ChangeInput<"post", "/v1/agents/{agent}/tasks">["body"],
    });
    return { kind: "task", task };
  },
};

/** Whether a step can be done from here. */
export const isDoable = ({ operation }: NextStep): boolean => operation !== null && operation in calls;

/** Does a step, or starts it. */
export function doStep({ operation, params, body, if_match }: NextStep): Promise<Started> {
  const call = calls[operation ?? ""];
  if (call === undefined) throw new Error(`The portal cannot call ${operation ?? "nothing"}.`);
  return call(params as Readonly<Record<string, string>>, body, if_match);
}

export const readTraining = (agent: string, job: string) =>
  get("/v1/agents/{agent}/training/{job}", { path: { agent, job } });
export const readRun = (run: string) => get("/v1/evaluations/runs/{run}", { path: { run }, query: { limit: 1 } });
export const readTaskNow = (task: string) => get("/v1/tasks/{task}", { path: { task } });
