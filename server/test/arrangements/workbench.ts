import { type Arrangements, ballot } from "./arranged.ts";

// What people do with approvals besides voting.

export const arrange: Arrangements = {
  "approvals.requestChanges": ballot({ note: "ask for consent first" }),
  "approvals.delegate": async (app, environment) => {
    const { params } = await ballot({})(app, environment);
    const { memberId } = await app.member("approver", environment);
    return { params, body: { to: memberId, reason: "a lead of theirs" } };
  },
  "approvals.bulk": async (app, environment) => {
    const { params, body } = await ballot({ reason: "not this lead" })(app, environment);
    return { params: {}, body: { items: [{ ...params, decision: "reject", ...(body as object) }] } };
  },
};
export const seenFromEverywhere: Readonly<Record<string, string>> = {};
