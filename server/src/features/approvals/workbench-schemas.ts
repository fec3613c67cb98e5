import { type Static, Type } from "typebox";
import { closed } from "../../kernel/schema-words.ts";

// Shapes of what people do with approvals besides voting. A part of schemas.ts, which it does not import.

export const Digest = Type.String({
  pattern: "^[0-9a-f]{64}$",
  description: "`digest` of the approval as it was shown: 64 hexadecimal digits.",
});

/** A text that people wrote and people read. */
const said = (description: string) => Type.String({ minLength: 1, maxLength: 2000, pattern: "\\S", description });

export const RequestChangesBody = Type.Object(
  {
    digest: Type.Optional(Digest),
    note: said("What has to change: read by whoever asked, by the agent and who trains it."),
  },
  { ...closed, description: "`digest` is required where the risk is high or critical." },
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
