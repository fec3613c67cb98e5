import { type Static, Type } from "typebox";
import { nullable } from "../../../kernel/schema-words.ts";

export const RangeFinding = Type.Object({
  leaf_index: nullable(Type.Integer({ description: "The place in the log. Null: it concerns the log as a whole." })),
  audit_ref: nullable(Type.String({ description: "The record, `aud_…`, where one is known." })),
  detail: Type.String({ description: "What differs, and from what." }),
});
export type RangeFinding = Static<typeof RangeFinding>;

export const VerifiedRange = Type.Object({
  verified: Type.Boolean({ description: "Whether everything in the range is as it was logged: there is no finding." }),
  from_leaf: Type.Integer({ description: "The first place that was checked, from 0." }),
  to_leaf: Type.Integer({ description: "The place after the last that was checked; call again from here." }),
  checked: Type.Integer({ description: "Records whose hash, text, index and salt were checked." }),
  log_size: Type.Integer({ description: "Records of the log when the check began." }),
  root: nullable(
    Type.String({
      description:
        "The root of the tree of the first `to_leaf` records in base64, from which the newest signed head follows. Null where that does not hold.",
    }),
  ),
  log_key: Type.String({ description: "The log's public key as a verifier key (C2SP signed-note)." }),
  removed: Type.Array(
    Type.Object({
      audit_ref: Type.String({ description: "The record of the call that removed them, `aud_…`." }),
      reason: Type.Enum(["erased", "expired"] as const),
      records: Type.Integer({ description: "Records of the range whose text it removed." }),
    }),
    { description: "Texts that were removed on purpose; their hashes stand in the log." },
  ),
  findings: Type.Array(RangeFinding, { description: "What is not as it was logged; at most 100." }),
  more_findings: Type.Boolean({ description: "Whether there are more findings than are listed." }),
});
export type VerifiedRange = Static<typeof VerifiedRange>;
