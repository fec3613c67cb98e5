import { send } from "./client.ts";
import { read, untold } from "./queries.ts";

/** Who decided content, and whether a second person has looked at it: `agent:sales@3`. */
export const readContent = (object: string) => ({
  ...untold(read("/v1/governance/contents/{object}", { path: { object } })),
  staleTime: 60_000,
});
/** The caller's look at exactly this content. */
export const confirmContent = (body: { object: string; digest: string }) =>
  send("post", "/v1/governance/confirmations", { body });
/** Makes the caller the owner of what acts later, and starts it again. */
export const takeOver = (body: { object: string }) => send("post", "/v1/governance/take-overs", { body });
