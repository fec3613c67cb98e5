import { type ChangeInput, type GetQuery, send } from "./client.ts";
import { read, untold } from "./queries.ts";

export const whoami = () => read("/v1/admin/whoami", {});
export const listKeys = (filter: GetQuery<"/v1/admin/keys">) => untold(read("/v1/admin/keys", { query: filter }));

export const listSessions = (filter: GetQuery<"/v1/admin/sessions">) =>
  untold(read("/v1/admin/sessions", { query: filter }));
export const revokeSession = (session: string) => send("delete", "/v1/admin/sessions/{session}", { path: { session } });

/** Makes a key; the answer is the only one that ever holds it. */
export const issueKey = (body: ChangeInput<"post", "/v1/admin/keys">["body"]) =>
  send("post", "/v1/admin/keys", { body });
/** Ends a key now, or after an overlap in which its successor works as well. */
export const revokeKey = ({ key, overlapSeconds, replacedBy }: RevokedKey) => {
  const place = replacedBy === "" ? {} : { replaced_by: replacedBy };
  return send("delete", "/v1/admin/keys/{key}", {
    path: { key },
    query: { overlap_seconds: overlapSeconds, ...place },
  });
};
interface RevokedKey {
  readonly key: string;
  readonly overlapSeconds: number;
  /** The key that takes its place; empty: none. */
  readonly replacedBy: string;
}
/** Members of the organization, with what they are here. */
export const listMembers = () => untold(read("/v1/admin/members", { query: { limit: 100 } }));
