import { actionDigest } from "./requests/request.ts";
import type {
  Approval,
  ApprovalComment,
  ApprovalDetail,
  ApprovalHistory,
  InboxItem,
  SimilarApprovals,
} from "./schemas.ts";

const ada = { id: "mbr_01jd8x0000000000000000000e", name: "Owner", kind: "person" } as const;

export const exampleApproval: Approval = {
  approval_id: "apr_01jd8x0000000000000000000d",
  task_id: "tsk_01jd8x0000000000000000000a",
  run: null,
  status: "pending",
  agent: "sales",
  version: 1,
  skill: "qualify_lead",
  tool: null,
  title: "Qualify lead ld_1001",
  risk: "medium",
  summary: "Qualify lead ld_1001: sales asks to run qualify_lead. The caller asked for approval.",
  reasons: ["The caller asked for approval."],
  requester: ada,
  requester_allowed: true,
  requester_allowed_reason: "At medium risk the requester may be among those who approve.",
  approvers: 1,
  approvals: 0,
  required_by: [],
  approve_url: "http://127.0.0.1:4000/approvals/tsk_01jd8x0000000000000000000a",
  round: 1,
  previous_id: null,
  edited_by: null,
  escalated_at: null,
  escalated_by: null,
  expires_at: null,
  on_expiry: null,
  decided_at: null,
  decided_by: null,
  reason: null,
  consumed_at: null,
  held_by: null,
  claim: null,
  standing_in_for: null,
  created_at: "2026-11-20T09:30:00.000Z",
};

export const exampleInboxItem: InboxItem = {
  kind: "approval",
  id: exampleApproval.approval_id,
  title: "Qualify lead ld_1001",
  text: exampleApproval.summary,
  agent: "sales",
  risk: "medium",
  since: exampleApproval.created_at,
  due_at: null,
  overdue: false,
  who_may_act: { permission: "approvals:decide", member: null },
  may_act: true,
  standing_in_for: null,
  task_id: exampleApproval.task_id,
  run: null,
  url: exampleApproval.approve_url,
};

const action = {
  agent: "sales",
  version: "ver_01jd8x0000000000000000000c",
  skill: "qualify_lead",
  tool: null,
  arguments: { lead_id: "ld_1001" },
  nonce: "01jd8x0000000000000000000f",
};

export const exampleDetail: ApprovalDetail = {
  ...exampleApproval,
  environment: "development",
  task_status: "awaiting_approval",
  action,
  digest: actionDigest(action),
  digest_matches: true,
  risk_assessment: {
    level: "medium",
    score: 6,
    impact: 2,
    likelihood: 2,
    inputs: {
      data: "personal",
      reversible: true,
      external: false,
      money: 0,
      persons: 1,
      unattended: false,
      trust_low: 0.6012,
    },
    floors: [],
    lower: { change: { input: "data", to: "public" }, level: "low" },
    reasons: ["It touches personal data."],
  },
  trust: { score: 0.7143, low: 0.6012, high: 0.8157, parts: { base: 0, runs: 0.9163 }, digest: "sha256:9f2c" },
  cost_usd: 0,
  if_undecided: {
    outcome: "waits",
    at: null,
    detail: "Nothing expires by itself: the task waits, and nothing runs, until people decide or it is cancelled.",
  },
  votes: [],
  delegations: [],
  requesters: [
    { member: ada, how: "owner", text: "asked for it", of: null, at: "2026-11-20T09:30:00.000Z" },
    {
      member: { id: "mbr_01jd8x0000000000000000000b", name: "Sample Builder", kind: "person" },
      how: "agent",
      text: "changed the agent's instructions, skills or tools",
      of: "agent:sales@1",
      at: "2026-11-20T09:00:00.000Z",
    },
  ],
  could_decide: {
    count: 1,
    members: [{ id: "mbr_01jd8x0000000000000000000g", name: "Sample Approver", kind: "person" }],
    more: false,
  },
  loosened: [],
  personal_sign_in_required: false,
  undecidable_reason: null,
  may_decide: { allowed: true, code: null, reason: null },
};

const nobody = { count: 0, members: [], more: false };

export function exampleDecided(decision: "approved" | "rejected", reason: string | null): ApprovalDetail {
  const at = "2026-11-20T09:31:00.000Z";
  return {
    ...exampleDetail,
    status: decision,
    task_status: decision === "approved" ? "queued" : "rejected",
    approvals: decision === "approved" ? 1 : 0,
    decided_at: at,
    decided_by: ada,
    reason,
    could_decide: nobody,
    votes: [
      {
        voter: ada,
        on_behalf_of: null,
        vote: decision === "approved" ? ("approve" as const) : ("reject" as const),
        reason,
        counts: true,
        not_counted_reason: null,
        at,
      },
    ],
    if_undecided: { outcome: "nothing", at: null, detail: "It is decided; nothing is pending." },
    may_decide: { allowed: false, code: "already_decided", reason: `It is ${decision}; nothing is left to decide.` },
  };
}

export function exampleSentBack(note: string): ApprovalDetail {
  return {
    ...exampleDecided("rejected", note),
    status: "changes_requested",
    task_status: "awaiting_approval",
    votes: [],
    if_undecided: {
      outcome: "waits",
      at: null,
      detail:
        "It was sent back: nothing runs until its input was changed and people approved that, or it is cancelled.",
    },
    may_decide: {
      allowed: false,
      code: "already_decided",
      reason: "It was sent back for changes; the result needs a new approval.",
    },
  };
}

export function exampleDelegated(to: string, reason: string): ApprovalDetail {
  const approver = { id: to, name: "Sample Approver", kind: "person" } as const;
  return {
    ...exampleDetail,
    delegations: [{ from: ada, to: approver, reason, at: "2026-11-20T09:31:00.000Z" }],
    may_decide: {
      allowed: false,
      code: "delegated",
      reason: "You handed this on to Sample Approver, who decides in your place.",
    },
  };
}

const approverParty = { id: "mbr_01jd8x0000000000000000000g", name: "Sample Approver", kind: "person" } as const;

export const exampleClaimed: ApprovalDetail = {
  ...exampleDetail,
  claim: { by: ada, at: "2026-11-20T09:31:00.000Z", until: "2026-11-20T10:01:00.000Z" },
};

export const exampleExtended: ApprovalDetail = {
  ...exampleDetail,
  expires_at: "2026-11-20T12:30:00.000Z",
  on_expiry: "reject",
  if_undecided: {
    outcome: "expires",
    at: "2026-11-20T12:30:00.000Z",
    detail:
      "Nothing runs. If nobody has decided by 2026-11-20T12:30:00.000Z, the task expires; it is never approved by itself.",
  },
};

export function exampleWithdrawn(reason: string): ApprovalDetail {
  return { ...exampleDecided("rejected", reason), status: "cancelled", task_status: "cancelled", votes: [] };
}

export const exampleComment: ApprovalComment = {
  comment_id: "apc_01jd8x0000000000000000000k",
  approval_id: exampleApproval.approval_id,
  author: ada,
  text: "@mbr_01jd8x0000000000000000000g is this lead one of yours?",
  mentions: [approverParty],
  created_at: "2026-11-20T09:32:00.000Z",
};

export const exampleHistory: ApprovalHistory = {
  approval_id: exampleApproval.approval_id,
  entries: [
    {
      at: exampleComment.created_at,
      kind: "commented",
      actor: ada,
      on_behalf_of: null,
      to: null,
      approval_id: exampleApproval.approval_id,
      round: 1,
      text: exampleComment.text,
      until: null,
      times: 1,
    },
    {
      at: "2026-11-20T09:31:00.000Z",
      kind: "viewed",
      actor: ada,
      on_behalf_of: null,
      to: null,
      approval_id: exampleApproval.approval_id,
      round: 1,
      text: null,
      until: null,
      times: 3,
    },
  ],
  more: false,
};

export const exampleSimilar: SimilarApprovals = {
  approval_id: exampleApproval.approval_id,
  considered: 12,
  approved: 11,
  rejected: 1,
  cases: [
    {
      approval_id: "apr_01jd8x0000000000000000000m",
      task_id: "tsk_01jd8x0000000000000000000n",
      title: "Qualify lead ld_1007",
      similarity: 0,
      differs: [{ field: "/lead_id", here: "ld_1001", there: "ld_1007" }],
      decision: "approved",
      decided_by: approverParty,
      decided_at: "2026-11-19T10:00:00.000Z",
      reason: null,
      outcome: { task_status: "completed", accepted: true, rating: null, feedback_at: "2026-11-19T11:00:00.000Z" },
    },
  ],
};
