import { type Arrangements, ballot, nothing, waitingTask } from "./arranged.ts";

export const arrange: Arrangements = {
  "approvals.listApprovals": nothing,
  "approvals.listDeciders": nothing,
  "approvals.listInbox": nothing,
  "approvals.readApproval": async (app, environment) => ({ params: { approval: await waitingTask(app, environment) } }),
  "approvals.approve": ballot({}),
  "approvals.reject": ballot({ reason: "not this lead" }),
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
