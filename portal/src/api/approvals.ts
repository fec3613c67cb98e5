import { type GetQuery, send } from "./client.ts";
import { read, untold } from "./queries.ts";
import type { Schema } from "./types.ts";

export type ApprovalFilter = GetQuery<"/v1/approvals">;

/** The inbox: pending approvals by default, newest first, with counts of all that wait. */
export const listApprovals = (filter: ApprovalFilter) => read("/v1/approvals", { query: filter });
/** All that waits for people: approvals, questions, hand-offs and dead letters, ranked. */
export const listInbox = (filter: GetQuery<"/v1/approvals/inbox">) => read("/v1/approvals/inbox", { query: filter });
/** One approval with everything that a decision needs; by its own id, or its task's (the latest one of it). */
export const readApproval = (approval: string) => read("/v1/approvals/{approval}", { path: { approval } });

interface Decision {
  readonly approval: string;
  /** Of the action as it was shown: what is decided is that and nothing else. */
  readonly digest: string;
}

export const approve = ({ approval, ...body }: Decision & { reason?: string; edits?: Record<string, unknown> }) =>
  send("post", "/v1/approvals/{approval}/approve", { path: { approval }, body });
export const reject = ({ approval, ...body }: Decision & { reason: string }) =>
  send("post", "/v1/approvals/{approval}/reject", { path: { approval }, body });
export const requestChanges = ({ approval, ...body }: Decision & { note: string }) =>
  send("post", "/v1/approvals/{approval}/request-changes", { path: { approval }, body });

export type Delegation = Schema<"Delegation">;

/** Who stands in for whom, the newest first. */
export const listDelegations = (cursor: string | undefined) =>
  read("/v1/approvals/settings/delegations", { query: { limit: 25, ...(cursor ? { cursor } : {}) } });
/** Persons who decide on approvals here. */
export const listDeciders = () => untold(read("/v1/approvals/deciders", { query: { limit: 100 } }));
export const createDelegation = (body: Schema<"CreateDelegationBody">) =>
  send("post", "/v1/approvals/settings/delegations", { body });
export const removeDelegation = (delegation: string) =>
  send("delete", "/v1/approvals/settings/delegations/{delegation}", { path: { delegation } });

export type Rule = Schema<"ApprovalRule">;
export type RuleBody = Schema<"ApprovalRuleBody">;
export type RuleTest = Schema<"ApprovalRuleTest">;

/** Who must approve what; of retired rules those that there were. */
export const listRules = (cursor: string | undefined, state: "active" | "retired") =>
  read("/v1/approvals/settings/rules", { query: { limit: 25, state, ...(cursor ? { cursor } : {}) } });
/** `etag`: of the rule that is changed; null: no rule of the name may be there. */
export const setRule = ({ rule, version, body }: { rule: string; version: string | null; body: RuleBody }) =>
  send("put", "/v1/approvals/settings/rules/{rule}", {
    path: { rule },
    headers: { "If-Match": `"${version ?? "0"}-json"` },
    body,
  });
export const retireRule = (rule: string) => send("delete", "/v1/approvals/settings/rules/{rule}", { path: { rule } });
export const testRule = ({ rule, candidate }: { rule: string; candidate?: RuleBody }) =>
  send("post", "/v1/approvals/settings/rules/{rule}/test", {
    path: { rule },
    body: candidate === undefined ? {} : { candidate },
  });

/** What happened to an approval: no event tells that somebody looked at it. */
export const readHistory = (approval: string) =>
  untold(read("/v1/approvals/{approval}/history", { path: { approval } }));
export const readSimilar = (approval: string) => read("/v1/approvals/{approval}/similar", { path: { approval } });
/** The newest comments on an approval. */
export const listComments = (approval: string) =>
  read("/v1/approvals/{approval}/comments", { path: { approval }, query: { limit: 100 } });

interface About {
  readonly approval: string;
}

export const createComment = ({ approval, text }: About & { text: string }) =>
  send("post", "/v1/approvals/{approval}/comments", { path: { approval }, body: { text } });
export const claim = ({ approval }: About) =>
  send("post", "/v1/approvals/{approval}/claim", { path: { approval }, body: {} });
export const release = ({ approval }: About) =>
  send("post", "/v1/approvals/{approval}/release", { path: { approval } });
export const extend = ({ approval, ...body }: About & { seconds: number; reason: string }) =>
  send("post", "/v1/approvals/{approval}/extend", { path: { approval }, body });
export const withdraw = ({ approval, ...body }: About & { reason: string }) =>
  send("post", "/v1/approvals/{approval}/withdraw", { path: { approval }, body });
