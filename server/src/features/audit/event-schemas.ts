import { type Static, Type } from "typebox";
import { nullable } from "../../kernel/schema-words.ts";

export const decisions = ["allowed", "refused", "failed"] as const;
export const stageNames = ["permissions", "evaluation_gate", "compliance", "audit"] as const;

export const Decision = Type.Enum(decisions, {
  description: "What the call came to: allowed, refused by a stage or a rule, or failed.",
});
export const StageName = Type.Enum(stageNames);

export const AuditRef = Type.String({
  description: "The record's id, `aud_…`, as the `Audit-Ref` header of every answer names it.",
});

export const Stage = Type.Object({
  stage: StageName,
  verdict: Type.Enum(["allow", "deny", "require_approval", "not_applicable", "recorded", "not_reached"]),
  reasons: Type.Array(Type.String()),
  policy_version: nullable(Type.String({ description: "The policies that decided, with their versions." })),
});

const Commitment = (of: string) =>
  nullable(
    Type.String({
      description: `SHA-256, in hexadecimal, of the opening followed by ${of}. Null where there was none.`,
    }),
  );

const Leaf = Type.Object(
  {
    index: Type.Integer({ description: "Place in the log, from 0." }),
    key_seq: nullable(Type.Integer({ description: "Number among the records of its key, from 1 without gaps." })),
  },
  { description: "Where the record stands in the log." },
);

const members = {
  audit_ref: AuditRef,
  time: Type.String({ format: "date-time", description: "When the call began." }),
  actor: Type.String({ description: "Who called: `mbr_…`, `system:<job>` or `anonymous`." }),
  key_id: nullable(Type.String({ description: "The key that was used, `key_…`." })),
  action: Type.String({ description: "The operation, such as `agents.dispatchTask`." }),
  object: nullable(Type.String({ description: "What was acted on, `<type>:<id>`." })),
  task_id: nullable(Type.String()),
  approval_id: nullable(Type.String()),
  decision: Decision,
  stage: nullable(StageName),
  stages: Type.Array(Stage, { description: "What each stage of the pipeline said, in its order." }),
  status: Type.Integer({ description: "The HTTP status that was answered." }),
  code: nullable(Type.String({ description: "The problem, where the call was refused or failed." })),
  trust_score: nullable(Type.Number()),
  request_id: Type.String(),
  commitments: Type.Object(
    {
      address: Commitment("the caller's network address"),
      request: Commitment("the SHA-256, in hexadecimal, of the request body's bytes"),
      response: Commitment("the SHA-256, in hexadecimal, of the response body's bytes"),
    },
    { description: "Values that the log holds without showing them." },
  ),
};

export const AuditEvent = Type.Object({
  ...members,
  leaf: Leaf,
  integrity: Type.Optional(
    Type.String({
      description:
        "Present only where the database no longer holds what was logged: says what differs. What is shown of such a record is not to be relied on.",
    }),
  ),
});
export type AuditEvent = Static<typeof AuditEvent>;

export const AuditRecord = Type.Object({
  ...members,
  leaf: nullable(Leaf),
  leaf_data: nullable(
    Type.String({
      description:
        "The exact text (canonical JSON, RFC 8785) whose hash is the leaf: what a proof of this record proves. Null while the record is not in the log.",
    }),
  ),
  log_key: Type.String({
    description:
      "The log's public key as a verifier key (C2SP signed-note). Keep it from an answer that you trust: every later proof must verify under the same.",
  }),
  openings: Type.Object(
    {
      address: Type.Optional(Type.String()),
      request: Type.Optional(Type.String()),
      response: Type.Optional(Type.String()),
    },
    {
      description:
        "16 bytes each, in hexadecimal, that open the commitments: who holds a body can check that it is the one. Absent once the data of the person concerned was erased.",
    },
  ),
});
export type AuditRecord = Static<typeof AuditRecord>;
