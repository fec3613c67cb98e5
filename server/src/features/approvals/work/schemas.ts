import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { Party } from "../party.ts";

const said = (description: string, maxLength = 2000) =>
  Type.String({ minLength: 1, maxLength, pattern: "\\S", description });

export const ApprovalClaim = Type.Object({ by: Party, at: Time, until: Time });

export const ClaimBody = Type.Object(
  {
    minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 480, description: "For how long; default 30. Then the claim lapses." }),
    ),
  },
  closed,
);

export const ExtendBody = Type.Object(
  {
    seconds: Type.Integer({
      minimum: 60,
      maximum: 31_622_400,
      description: "How much longer it waits. All extensions together add at most the time that it had at first.",
    }),
    reason: said("Why: read by who decides and whoever asked."),
  },
  closed,
);
export const WithdrawBody = Type.Object({ reason: said("Why: read by who decides.") }, closed);

export const ApprovalCommentId = Type.String({ description: "The comment's id, `apc_…`." });
export const ApprovalCommentBody = Type.Object(
  { text: said("For people. `@mbr_…` mentions a person, who finds it in their inbox. No agent reads it.", 4000) },
  closed,
);
export const ApprovalComment = Type.Object({
  comment_id: ApprovalCommentId,
  approval_id: Type.String({ description: "The approval that it was written on, `apr_…`." }),
  author: Party,
  text: Type.String(),
  mentions: Type.Array(Party),
  created_at: Time,
});
export type ApprovalComment = Static<typeof ApprovalComment>;

export const historyKinds = [
  "requested",
  "edited",
  "viewed",
  "approved",
  "rejected",
  "handed_over",
  "escalated",
  "claimed",
  "released",
  "extended",
  "commented",
  "withdrawn",
  "ended",
] as const;

export const ApprovalHistory = Type.Object({
  approval_id: Type.String({ description: "`apr_…`." }),
  entries: Type.Array(
    Type.Object({
      at: Time,
      kind: Type.Enum(historyKinds, {
        description:
          "`requested`: people were asked, in the first round or again; `edited`: the same, with another action than was asked for. `approved` and `rejected` are votes. `ended` says how it came out. `viewed`: reads of one person within an hour are one entry.",
      }),
      actor: Party,
      on_behalf_of: nullable(Party, "In whose place it was voted."),
      to: nullable(Party, "To whom it was handed on."),
      approval_id: Type.String({ description: "The round that it concerns, `apr_…`." }),
      round: Type.Integer(),
      text: nullable(Type.String(), "The reason, comment or outcome."),
      until: nullable(Time, "Of a claim its end; of an extension until when it waits."),
      times: Type.Integer({ description: "How many reads a view stands for; else 1." }),
    }),
    { description: "The newest first: this round and those before it." },
  ),
  more: Type.Boolean({ description: "Whether there are older entries than these 500." }),
});
export type ApprovalHistory = Static<typeof ApprovalHistory>;
export type HistoryEntry = ApprovalHistory["entries"][number];

export const SimilarApprovals = Type.Object({
  approval_id: Type.String({ description: "`apr_…`." }),
  considered: Type.Integer({
    description: "Decided approvals of the same agent, skill and tool that were compared: the newest 100 at most.",
  }),
  approved: Type.Integer({ description: "How many of those were approved." }),
  rejected: Type.Integer({ description: "How many of those were rejected or sent back." }),
  cases: Type.Array(
    Type.Object({
      approval_id: Type.String(),
      task_id: Type.String(),
      title: nullable(Type.String()),
      similarity: Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          "Share of the fields that agree; a number counts by how near it is, from 1 (the same) to 0; 0 of an input or of arguments longer than 16 KiB, which are not compared.",
      }),
      differs: Type.Array(
        Type.Object({
          field: Type.String({ description: "Its place in the input or arguments (RFC 6901)." }),
          here: nullable(Type.String()),
          there: nullable(Type.String()),
        }),
        { description: "The first ten fields that differ; null where one has no such field." },
      ),
      decision: Type.Enum(["approved", "rejected", "changes_requested"]),
      decided_by: nullable(Party),
      decided_at: nullable(Time),
      reason: nullable(Type.String()),
      outcome: Type.Object(
        {
          task_status: Type.String(),
          accepted: nullable(Type.Boolean(), "The latest feedback that says so; null: none."),
          rating: nullable(Type.Integer(), "The latest feedback that has one; null: none."),
          feedback_at: nullable(Time),
        },
        { description: "What came of it." },
      ),
    }),
    { description: "The nearest first." },
  ),
});
export type SimilarApprovals = Static<typeof SimilarApprovals>;
export type SimilarCase = SimilarApprovals["cases"][number];
