import { type Answer, type ChangeInput, getTagged, send } from "./client.ts";
import { type Read, read, untold } from "./queries.ts";
import type { Schema } from "./types.ts";

const onePath = "/v1/agents/{agent}/tools/{tool}";

export const listTools = (agent: string, version: "draft" | "live") =>
  untold(read("/v1/agents/{agent}/tools", { path: { agent }, query: { version } }));
/** The agent with the tag that a change of its draft names. */
export const readTagged = (agent: string): Read<{ value: Answer<"/v1/agents/{agent}">; etag: string }> => ({
  queryKey: ["/v1/agents/{agent}", { path: { agent } }, "tagged"],
  queryFn: ({ signal }) => getTagged("/v1/agents/{agent}", { path: { agent } }, signal),
});

interface OfTool {
  readonly agent: string;
  readonly tool: string;
  readonly etag: string;
}
export const bindTool = ({ agent, tool, etag, ...body }: OfTool & ChangeInput<"put", typeof onePath>["body"]) =>
  send("put", onePath, { path: { agent, tool }, headers: { "If-Match": etag }, body: body as Schema<"BindToolBody"> });
export const unbindTool = ({ agent, tool, etag }: OfTool) =>
  send("delete", onePath, { path: { agent, tool }, headers: { "If-Match": etag }, body: { from_skills: true } });
export const testTool = ({ agent, tool, body }: { agent: string; tool: string; body: Schema<"TestToolBody"> }) =>
  send("post", "/v1/agents/{agent}/tools/{tool}/test", { path: { agent, tool }, body });

export const listMemory = (agent: string, user: string) =>
  untold(
    read("/v1/agents/{agent}/memory", { path: { agent }, query: { limit: 50, ...(user === "" ? {} : { user }) } }),
  );
export const forgetMemory = ({ agent, item }: { agent: string; item: string }) =>
  send("delete", "/v1/agents/{agent}/memory/{item}", { path: { agent, item } });
