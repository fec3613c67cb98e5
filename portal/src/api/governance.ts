import { type ChangeInput, type GetQuery, getTagged, send } from "./client.ts";
import { type Read, read, untold } from "./queries.ts";
import type { Schema } from "./types.ts";

type PolicyBody = Schema<"PolicyBody">;

/** A policy with the entity tag that a change of it has to send. */
export interface TaggedPolicy {
  readonly value: Schema<"Policy">;
  readonly etag: string;
}
/** The text of a policy, as its author writes it. */
export type PolicyText = Omit<ChangeInput<"post", "/v1/governance/policies">["body"], "state">;
export type PolicyIntent = NonNullable<ChangeInput<"post", "/v1/governance/policies">["body"]["state"]>;

export const listPolicies = (filter: GetQuery<"/v1/governance/policies">) =>
  untold(read("/v1/governance/policies", { query: filter }));
export const listKillSwitches = (filter: GetQuery<"/v1/governance/kill-switch">) =>
  read("/v1/governance/kill-switch", { query: filter });
export const listViolations = (filter: GetQuery<"/v1/governance/violations">) =>
  read("/v1/governance/violations", { query: filter });
export const readPolicy = (policy: string): Read<TaggedPolicy> => ({
  queryKey: ["/v1/governance/policies/{policy}", policy],
  queryFn: ({ signal }) => getTagged("/v1/governance/policies/{policy}", { path: { policy } }, signal),
  untold: true,
});

export const createPolicy = (body: PolicyText & { state: PolicyIntent }) =>
  send("post", "/v1/governance/policies", { body: body as PolicyBody });
/** A new version in the place of the one with this entity tag. */
export const replacePolicy = ({
  policy,
  etag,
  ...body
}: PolicyText & { state: PolicyIntent; policy: string; etag: string }) =>
  send("put", "/v1/governance/policies/{policy}", {
    path: { policy },
    body: body as PolicyBody,
    headers: { "If-Match": etag },
  });
export const retirePolicy = ({ policy, etag }: { policy: string; etag: string }) =>
  send("delete", "/v1/governance/policies/{policy}", { path: { policy }, headers: { "If-Match": etag } });
/** What a text would have done to recorded calls; changes nothing. */
export const simulatePolicy = (body: PolicyText & { policy?: string }) =>
  send("post", "/v1/governance/policies/simulate", { body });
