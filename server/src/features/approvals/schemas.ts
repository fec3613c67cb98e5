import { type Static, Type } from "typebox";
import { Hold } from "../../kernel/hold.ts";
import { inboxKinds } from "../../kernel/inbox.ts";
import { environments } from "../../kernel/principal.ts";
import { Count, closed, nullable, Time } from "../../kernel/schema-words.ts";
import { AccountablePerson } from "../admin/schemas.ts";
import { Risk, RiskLevel, RunOfTask, TaskId, TaskStatus, Trust } from "../tasks/schemas.ts";
import { Party } from "./party.ts";
import { approvalStates, onExpiryWords, votes } from "./requests/rules.ts";
import { ApprovalRequirement } from "./rules/schemas.ts";
import { ApprovalClaim } from "./work/schemas.ts";

export * from "./delegations/schemas.ts";
export { Party } from "./party.ts";
export type { ApprovalState, OnExpiry, VoteWord } from "./requests/rules.ts";
export * from "./rules/schemas.ts";
export * from "./work/schemas.ts";

export const ApprovalId = Type.String({ description: "The approval's id, `apr_…`." });
/** Path member: `approve_url` carries a task id, so either is taken. */
export const ApprovalOrTaskId = Type.String({
  description: "The approval's id, `apr_…`, or its task's, `tsk_…` (the latest approval of the task).",
});
export const ApprovalStatus = Type.Enum(approvalStates, {
  description: "Where the approval stands. An approved one is consumed when its action starts.",
});
export const Approval = Type.Object({
  approval_id: ApprovalId,
  task_id: TaskId,
  run: nullable(RunOfTask, "The step of a workflow's run that waits for it; null: none."),
  status: ApprovalStatus,
  agent: Type.String(),
  version: Type.Integer({ description: "Number of the agent version that would act." }),
  skill: Type.String(),
  tool: nullable(Type.String({ description: "One call of this tool; null: the task as a whole." })),
  title: nullable(
    Type.String({
      description:
        "What it is about, by the tool's template over the call's arguments, else by the skill's over the input.",
    }),
    "Null where neither has a template.",
  ),
  risk: RiskLevel,
  summary: Type.String({ description: "Why people are asked, in short." }),
  reasons: Type.Array(Type.String(), { description: "Why people are asked: caller, gate, policies, risk." }),
  requester: Party,
  requester_allowed: Type.Boolean({ description: "Whether the requester may decide as well." }),
  requester_allowed_reason: nullable(
    Type.String({ description: "Why the requester may decide as well; null: they may not." }),
  ),
  approvers: Type.Integer({
    description:
      "How many persons have to approve, at least: several rules may ask for different ones. One rejection ends it.",
  }),
  approvals: Type.Integer({ description: "How many persons have approved so far, by the votes that count." }),
  required_by: Type.Array(ApprovalRequirement, {
    description:
      "The policies and approval rules that ask, as they were when people were asked; changes made since do not count. All of them have to be met.",
  }),
  approve_url: Type.String({ description: "The page on which people decide." }),
  round: Type.Integer({
    description:
      "Counts from 1. When an action is changed, or more approval is demanded, people are asked again in the next round.",
  }),
  previous_id: nullable(Type.String({ description: "The approval of the round before, `apr_…`." })),
  edited_by: nullable(
    Party,
    "Who changed the action of this round before people decided; null: it is as the requester wanted it.",
  ),
  escalated_at: nullable(Time, "Since then only admins decide."),
  escalated_by: nullable(Party),
  expires_at: nullable(Time),
  on_expiry: nullable(Type.Enum(onExpiryWords), "What happens at `expires_at`. It is never approved automatically."),
  decided_at: nullable(Time),
  decided_by: nullable(Party),
  reason: nullable(Type.String({ description: "What was said with the decision; of one sent back, the note." })),
  consumed_at: nullable(Time),
  held_by: nullable(
    Hold,
    "What holds its task besides this approval, before and after the vote: a kill switch, a pause, a closed gate, a budget. Null: nothing.",
  ),
  claim: nullable(ApprovalClaim, "Who works on it, and until when. It keeps nobody from deciding; null: nobody."),
  standing_in_for: nullable(
    Party,
    "In whose place the caller's vote would be cast, by a delegation for a time. Null: in nobody's, or the caller may not vote.",
  ),
  created_at: Time,
});
export type Approval = Static<typeof Approval>;

export const Vote = Type.Object({
  voter: Party,
  on_behalf_of: nullable(Party, "Who had handed the decision to the voter."),
  vote: Type.Enum(votes),
  reason: nullable(Type.String()),
  counts: Type.Boolean({ description: "Whether it counts: not where its voter was removed or may no longer decide." }),
  not_counted_reason: nullable(Type.String({ description: "Why it does not count; null: it does." })),
  at: Time,
});

export const HandOver = Type.Object({ from: Party, to: Party, reason: Type.String(), at: Time });

export const barCodes = [
  "already_decided",
  "persons_only",
  "insufficient_scope",
  "four_eyes",
  "delegated",
  "escalated",
  "no_second_person",
  "not_signed_in_personally",
  "key_not_independent",
  "already_voted",
  "not_asked",
] as const;
export type BarCode = (typeof barCodes)[number];

export const ApprovalDetail = Type.Object({
  ...Approval.properties,
  environment: Type.Enum(environments, { description: "Where it would happen." }),
  task_status: TaskStatus,
  action: Type.Object(
    {
      agent: Type.String(),
      version: Type.String({ description: "Id of the agent version, `ver_…`." }),
      skill: Type.String(),
      tool: nullable(Type.String()),
      arguments: Type.Unknown({ description: "The task's input, or the arguments of the tool's call." }),
      nonce: Type.String({ description: "The approval's own, so that it fits no other action and no other time." }),
    },
    { description: "Exactly what is approved, as it is stored now." },
  ),
  digest: Type.String({
    description: "SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of the action that approval was asked for.",
  }),
  digest_matches: Type.Boolean({
    description: "Whether `digest` is that of `action`. Where it is not, nothing can be decided.",
  }),
  risk_assessment: Type.Object({
    ...Risk.properties,
    reasons: Type.Array(Type.String(), { description: "What makes the risk what it is, in words." }),
  }),
  trust: Trust,
  cost_usd: Type.Number({ description: "What the task has cost so far." }),
  if_undecided: Type.Object({
    outcome: Type.Enum(["waits", "expires", "escalates", "nothing"], {
      description: "What happens if nobody decides; nothing, where it is decided.",
    }),
    at: nullable(Time),
    detail: Type.String(),
  }),
  votes: Type.Array(Vote),
  delegations: Type.Array(HandOver, {
    description: "Who handed the decision to whom, oldest first. Who handed it on no longer decides.",
  }),
  requesters: Type.Array(AccountablePerson, {
    description:
      "Who stands behind it: who asked, who issued their credentials, and who decided what the call acts on, each with what they did. None of them counts as another person.",
  }),
  could_decide: Type.Object(
    {
      count: Type.Integer(),
      members: Type.Array(Party, { description: "The first 20, by name." }),
      more: Type.Boolean({ description: "Whether there are more than these." }),
    },
    { description: "Persons who may decide here and have not; none where it is over." },
  ),
  loosened: Type.Array(
    Type.Object({
      what: Type.String({ description: "What was done, such as `Retired the policy refunds`." }),
      object: Type.String({ description: "Such as `policy:pol_…` and `settings`." }),
      by: Party,
      at: Time,
    }),
    {
      description:
        "Changes of policies, approval rules, evaluation gates, scorers, budgets, kill switches and settings of this environment within a day before it is read or was decided, by anybody, who could decide included: the latest 20, newest first. " +
        "A key that is narrowed to agents is not shown those that name other agents. They change nothing of who may decide.",
    },
  ),
  personal_sign_in_required: Type.Boolean({
    description:
      "Whether only those decide who signed in by OpenID Connect or passkey, since a second person is demanded.",
  }),
  undecidable_reason: nullable(
    Type.String({
      description: "Why there are too few eligible approvers, and what to do; null: there are enough.",
    }),
  ),
  may_decide: Type.Object(
    { allowed: Type.Boolean(), code: nullable(Type.Enum(barCodes)), reason: nullable(Type.String()) },
    { description: "Whether the caller may decide now, and if not, why." },
  ),
});
export type ApprovalDetail = Static<typeof ApprovalDetail>;

export const PendingCounts = Type.Object(
  {
    low: Type.Integer(),
    medium: Type.Integer(),
    high: Type.Integer(),
    critical: Type.Integer(),
    total: Type.Integer(),
    mine: nullable(Type.Integer(), "How many of them the caller may decide now; null unless `mine` was asked for."),
  },
  { description: "Pending approvals by risk: all that the key may see, whatever the filter." },
);
export type PendingCounts = Static<typeof PendingCounts>;

export const InboxItem = Type.Object({
  kind: Type.Enum(inboxKinds, {
    description:
      "`approval`: a decision. `question`: of a task or a mission. `handoff`: a conversation that nobody has taken. `dead_letter`: something gave up and goes on only when somebody sees to it. `mention`: a comment on an approval mentions the caller.",
  }),
  id: Type.String({
    description:
      "Of the approval, `apr_…`; the task that asks, `tsk_…`; the mission's decision, `mdc_…`; the conversation, `cnv_…`; the run, endpoint or trigger that gave up; the comment, `apc_…`.",
  }),
  title: Type.String({ description: "What it is about." }),
  text: Type.String({ description: "What is asked, or why it gave up." }),
  agent: nullable(Type.String(), "Whose work it is; null: of several agents or none."),
  risk: nullable(RiskLevel, "Null: it has none."),
  since: Time,
  due_at: nullable(Time, "When it expires, or has to be done; null: it waits."),
  overdue: Type.Boolean({ description: "Whether `due_at` has passed." }),
  who_may_act: Type.Object({
    permission: Type.String({ description: "Of those who may act on it. Further rules may apply, such as four eyes." }),
    member: nullable(Type.String(), "Who alone is asked, by id; null: anybody with the permission."),
  }),
  may_act: Type.Boolean({ description: "Whether the caller may act on it now." }),
  standing_in_for: nullable(Party, "In whose place the caller would decide; null: in nobody's."),
  task_id: nullable(Type.String(), "The task that waits; null: none does."),
  run: nullable(
    Type.Object({ run_id: Type.String({ description: "`wfr_…`" }), workflow: Type.String() }),
    "The workflow's run that waits for it, or gave up.",
  ),
  url: Type.String({ description: "The page of the portal where people see to it." }),
});
export type InboxItem = Static<typeof InboxItem>;

export const InboxCounts = Type.Object(
  {
    approval: Count("Approvals."),
    question: Count("Questions."),
    handoff: Count("Hand-offs."),
    dead_letter: Count("Dead letters."),
    mention: Count("Mentions of the caller."),
    total: Count("All of them."),
    mine: Count("Those that the caller may act on now."),
  },
  { description: "How many wait: all that the key may see, whatever the filter." },
);
export type InboxCounts = Static<typeof InboxCounts>;

export const Digest = Type.String({
  pattern: "^[0-9a-f]{64}$",
  description: "`digest` of the approval as it was shown: 64 hexadecimal digits.",
});
const digestRule = { ...closed, description: "`digest` is required where the risk is high or critical." };

const said = (description: string) => Type.String({ minLength: 1, maxLength: 2000, pattern: "\\S", description });

export const ApproveBody = Type.Object(
  {
    digest: Type.Optional(Digest),
    reason: Type.Optional(Type.String({ maxLength: 2000, description: "A remark, kept with the vote." })),
    edits: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          "The whole input that is approved instead of the one shown. It is judged like that of a dispatch and asked for in a new round, in which earlier votes " +
          "do not count; the caller's counts, except where four eyes are demanded: then another person must approve it.",
      }),
    ),
  },
  digestRule,
);
export type ApproveBody = Static<typeof ApproveBody>;

export const RejectBody = Type.Object(
  {
    digest: Type.Optional(Digest),
    reason: said("Why not: read by the requester, the agent and who trains it."),
  },
  digestRule,
);
export type RejectBody = Static<typeof RejectBody>;

export const RequestChangesBody = Type.Object(
  {
    digest: Type.Optional(Digest),
    note: said("What has to change: read by whoever asked, by the agent and who trains it."),
  },
  digestRule,
);
export type RequestChangesBody = Static<typeof RequestChangesBody>;

export const DelegateBody = Type.Object(
  {
    to: Type.Optional(
      Type.String({ description: "Whom the decision is handed to: a person who may decide here, `mbr_…`." }),
    ),
    escalate: Type.Optional(
      Type.Literal(true, { description: "Hands it to the admins instead: from then on only they decide." }),
    ),
    reason: said("Why it is handed on: read by who decides."),
  },
  { ...closed, description: "Either `to` or `escalate`." },
);
export type DelegateBody = Static<typeof DelegateBody>;

export const bulkDecisions = ["approve", "reject"] as const;

export const BulkBody = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          approval: Type.String({ description: "The approval's id, `apr_…`, or its task's, `tsk_…`." }),
          decision: Type.Enum(bulkDecisions),
          digest: Type.Optional(
            Type.String({
              description: "`digest` of the approval as it was shown; required where the risk is high or critical.",
            }),
          ),
          reason: Type.Optional(Type.String({ description: "Required to reject." })),
        },
        closed,
      ),
      { minItems: 1, maxItems: 100, description: "Each is decided and answered on its own, as by a call of its own." },
    ),
  },
  closed,
);
export type BulkBody = Static<typeof BulkBody>;

export const BulkAnswer = Type.Object({
  batch_id: Type.String({ description: "`bat_…`." }),
  succeeded: Type.Integer({ description: "How many were taken." }),
  failed: Type.Integer({ description: "How many were refused." }),
  results: Type.Array(
    Type.Object({
      index: Type.Integer({ description: "The item's place in `items`, from 0." }),
      status: Type.Integer({ description: "What a call of its own would have answered." }),
      body: Type.Record(Type.String(), Type.Unknown(), {
        description: "The approval as it stands after the vote, or the problem.",
      }),
    }),
    { description: "In the order of the items." },
  ),
});
export type BulkAnswer = Static<typeof BulkAnswer>;
