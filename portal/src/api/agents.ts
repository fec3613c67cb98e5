import { type ChangeInput, type GetQuery, getText, send } from "./client.ts";
import { type Read, read, untold } from "./queries.ts";
import type { Schema } from "./types.ts";

export const listAgents = (filter: GetQuery<"/v1/agents">) => read("/v1/agents", { query: filter });
/** An agent with its draft, of whose changes no event tells. */
export const readAgent = (agent: string) => untold(read("/v1/agents/{agent}", { path: { agent } }));
export const listVersions = (agent: string) =>
  untold(read("/v1/agents/{agent}/versions", { path: { agent }, query: { limit: 50 } }));
/** A version; with `diff` also what changed from that one. */
export const readVersion = (agent: string, version: number, diff?: number) =>
  read("/v1/agents/{agent}/versions/{version}", {
    path: { agent, version: String(version) },
    query: diff === undefined ? {} : { diff },
  });
export const listDeployments = (agent: string) =>
  read("/v1/agents/{agent}/deployments", { path: { agent }, query: { limit: 25 } });
export const readGate = (agent: string) => untold(read("/v1/evaluations/gates/{agent}", { path: { agent } }));
/** Why the score of a version is what it is. */
export const readTrust = (agent: string, version?: number) =>
  untold(read("/v1/agents/{agent}/trust", { path: { agent }, query: version === undefined ? {} : { version } }));
/** The agent as a file: YAML that can be applied again without loss. */
export const readAgentFile = (agent: string): Read<string> => ({
  queryKey: ["/v1/agents/{agent}", { path: { agent } }, "yaml"],
  queryFn: () => getText("/v1/agents/{agent}", { path: { agent } }, "application/yaml"),
});

export const dispatchTask = ({
  agent,
  ...body
}: { agent: string } & ChangeInput<"post", "/v1/agents/{agent}/tasks">["body"]) =>
  send("post", "/v1/agents/{agent}/tasks", {
    path: { agent },
    body: body as ChangeInput<"post", "/v1/agents/{agent}/tasks">["body"],
  });
/** What each stage would decide of a dispatch; nothing happens. */
export const tryDispatch = async ({
  agent,
  ...body
}: { agent: string } & ChangeInput<"post", "/v1/agents/{agent}/tasks">["body"]) =>
  (await send("post", "/v1/agents/{agent}/tasks", {
    path: { agent },
    query: { dry_run: true },
    body: body as ChangeInput<"post", "/v1/agents/{agent}/tasks">["body"],
  })) as unknown as Schema<"DryRun">;
export const deployVersion = ({
  agent,
  ...body
}: { agent: string } & ChangeInput<"post", "/v1/agents/{agent}/deployments">["body"]) =>
  send("post", "/v1/agents/{agent}/deployments", { path: { agent }, body });
/** Changes a canary, unless it changed since it was read at this revision. */
export const changeDeployment = ({
  agent,
  deployment,
  revision,
  ...body
}: { agent: string; deployment: string; revision: number } & ChangeInput<
  "patch",
  "/v1/agents/{agent}/deployments/{deployment}"
>["body"]) =>
  send("patch", "/v1/agents/{agent}/deployments/{deployment}", {
    path: { agent, deployment },
    body,
    headers: { "If-Match": `"${revision}-json"` },
  });
export const rollBack = ({ agent, ...body }: { agent: string; reason: string; to?: number }) =>
  send("post", "/v1/agents/{agent}/rollback", { path: { agent }, body });
export const pauseAgent = ({ agent, ...body }: { agent: string; reason: string; mode: "drain" | "cancel" }) =>
  send("post", "/v1/agents/{agent}/pause", { path: { agent }, body });
export const resumeAgent = ({ agent, note }: { agent: string; note: string }) =>
  send("post", "/v1/agents/{agent}/resume", { path: { agent }, body: { note } });
