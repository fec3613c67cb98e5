import { type ChangeInput, send } from "./client.ts";
import { read, untold } from "./queries.ts";

// Cloning, transferring, archiving and restoring agents, trying their drafts, and what is said about them.

export const readHealth = (agent: string) => untold(read("/v1/agents/{agent}/health", { path: { agent } }));
export const readDependents = (agent: string) => untold(read("/v1/agents/{agent}/dependents", { path: { agent } }));

type Body<P extends `/v1/agents/{agent}/${"clone" | "transfer" | "preview"}`> = {
  readonly agent: string;
  readonly body: ChangeInput<"post", P>["body"];
};
export const cloneAgent = ({ agent, body }: Body<"/v1/agents/{agent}/clone">) =>
  send("post", "/v1/agents/{agent}/clone", { path: { agent }, body });
export const transferAgent = ({ agent, body }: Body<"/v1/agents/{agent}/transfer">) =>
  send("post", "/v1/agents/{agent}/transfer", { path: { agent }, body });
export const archiveAgent = ({ agent, ...body }: { agent: string; reason: string; force: boolean }) =>
  send("delete", "/v1/agents/{agent}", { path: { agent }, body });
export const restoreAgent = (agent: string) => send("post", "/v1/agents/{agent}/restore", { path: { agent } });
/** Runs a skill of the draft or of a version outside of tasks; nothing is stored. */
export const previewAgent = ({ agent, body }: Body<"/v1/agents/{agent}/preview">) =>
  send("post", "/v1/agents/{agent}/preview", { path: { agent }, body });
export const validateDraft = (agent: string) => send("post", "/v1/agents/{agent}/validate", { path: { agent } });
