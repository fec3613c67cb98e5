import { type Static, Type } from "typebox";
import { Count, nullable, Time } from "../../kernel/schema-words.ts";

export const bundleKinds = ["agent", "workflow", "tool_set", "policy_pack", "dataset", "scorer"] as const;
export const BundleKind = Type.Enum(bundleKinds, { description: "What a bundle holds." });
export type BundleKind = Static<typeof BundleKind>;

export const ListingId = Type.String({ description: "The listing's id, `lst_…`." });
export const InstallId = Type.String({ description: "The install's id, `ins_…`." });
export const PublisherRef = Type.String({
  maxLength: 64,
  description: "The publisher's id, `pub_…`, or `own`: the publisher that this organization signs as.",
});
export const Digest = Type.String({
  pattern: "^sha256:[0-9a-f]{64}$",
  description: "`sha256:` and the SHA-256 of the bundle's archive, in hexadecimal.",
});
export const KeyId = Type.String({
  pattern: "^sha256:[0-9a-f]{64}$",
  description: "The id of a publisher's key: `sha256:` and the SHA-256 of the public key.",
});
export const Version = Type.String({
  pattern: "^(0|[1-9][0-9]{0,8})[.](0|[1-9][0-9]{0,8})[.](0|[1-9][0-9]{0,8})$",
  description: "Such as `1.2.0`.",
});
export const Visibility = Type.Enum(["private", "public"] as const, {
  description:
    "`private`: for this organization; its file cannot be downloaded. `public`: its file may be taken to other installations.",
});
export const ListingState = Type.Enum(
  ["submitted", "approved", "rejected", "quarantined", "recalled", "withdrawn"] as const,
  {
    description:
      "`submitted`: waits for review. `approved`: can be installed. `quarantined`: stopped everywhere until it is approved again. `recalled`: stopped everywhere for good. " +
      "`withdrawn`: no longer offered; installs continue.",
  },
);
export type ListingState = Static<typeof ListingState>;

/** As people consent to it. */
export const ListingPermission = Type.Object(
  {
    id: Type.String({ description: "Its subject, the same in every version: `tool:find_policy`." }),
    kind: Type.Enum(
      ["tool", "address", "connection", "model", "data", "knowledge", "budget", "trigger", "policy"] as const,
      { description: "What kind of thing it reaches or uses." },
    ),
    level: Type.Enum(["low", "elevated", "high"] as const, {
      description: "How carefully to review it: `high` if it writes, sends data out or can spend much.",
    }),
    text: Type.String({ description: "In one sentence, for people." }),
    value: Type.Record(Type.String(), Type.Unknown(), { description: "The value, for programs." }),
  },
  { description: "A permission of a bundle, computed from its files." },
);
export type ListingPermission = Static<typeof ListingPermission>;

export const PermissionDifference = Type.Object(
  {
    added: Type.Array(ListingPermission),
    removed: Type.Array(ListingPermission),
    changed: Type.Array(Type.Object({ before: ListingPermission, after: ListingPermission })),
  },
  { description: "Permissions that an update adds, changes and drops." },
);
export type PermissionDifference = Static<typeof PermissionDifference>;

/** Results and what they were measured on; also the format of `scorecard.json`. */
export const Scorecard = Type.Object(
  {
    model: Type.String({ description: "The model behind the figures, `builtin` or `provider/model`." }),
    datasets: Type.Array(
      Type.Object({
        name: Type.String(),
        digest: Type.String({ description: "SHA-256 of its file in the bundle, in hexadecimal." }),
        items: Count("Items that it has."),
        data: Type.String({ description: "What data it is: who wrote it, from where, how chosen." }),
      }),
    ),
    training: nullable(
      Type.Object({ examples: Count("Examples that it learnt from."), digest: Type.String() }),
      "Null: nothing was trained.",
    ),
    results: Type.Array(
      Type.Object({
        dataset: Type.String(),
        scorer: Type.String(),
        scorer_digest: Type.String({ description: "SHA-256 of the scorer's definition, in hexadecimal." }),
        items: Count("Items that were scored."),
        mean: Type.Number(),
        low: nullable(Type.Number(), "Lower end of the interval."),
        high: nullable(Type.Number(), "Upper end of the interval."),
        confidence: Type.Number({ description: "Of the interval, such as 0.95." }),
      }),
    ),
    gate: nullable(
      Type.Object({ floor: Type.Number(), tolerance: Type.Number(), state: Type.String() }),
      "The gate over these results; null without one.",
    ),
    made_at: Time,
    service_version: Type.String(),
  },
  { description: "Results of evaluations that are in the bundle, so that whoever installs it can run them again." },
);
export type Scorecard = Static<typeof Scorecard>;

export const ScanCounts = Type.Object({
  error: Count("Findings that forbid installing it as it is."),
  warning: Count("Findings for a person to decide."),
  note: Count("Harmless findings, such as examples."),
});
export type ScanCounts = Static<typeof ScanCounts>;

export const PublisherBrief = Type.Object({
  publisher_id: Type.String({ description: "`pub_…`." }),
  name: Type.String(),
  own: Type.Boolean({ description: "True: this organization signs as this publisher." }),
  key_id: KeyId,
  pinned: Type.Boolean({
    description: "Whether its key was accepted with a first install, or is this organization's.",
  }),
});
export type PublisherBrief = Static<typeof PublisherBrief>;

export const Note = (description: string) => Type.String({ minLength: 1, maxLength: 2000, description });
