import { type Static, Type } from "typebox";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import {
  BundleKind,
  Digest,
  InstallId,
  KeyId,
  ListingId,
  ListingPermission,
  PermissionDifference,
  PublisherBrief,
  ScanCounts,
  Version,
} from "../schema-words.ts";

export const partKinds = [
  "knowledge_base",
  "documents",
  "agent",
  "agent_version",
  "tool",
  "dataset",
  "scorer",
  "gate",
  "policy",
  "workflow",
] as const;
export const PartKind = Type.Enum(partKinds, { description: "The kind of a part." });
export type PartKind = Static<typeof PartKind>;

export const Consent = Type.Object(
  {
    permissions: Type.String({ maxLength: 100, description: "The `permissions_digest` that was shown." }),
    publisher_key: KeyId,
  },
  {
    ...closed,
    description: "What a person consents to: exactly these permissions, from the holder of this key.",
  },
);

const Suffix = Type.String({
  pattern: "^-[a-z0-9-]{1,19}$",
  description: "Appended to every name that the install creates, such as `-2`, if names are taken.",
});
const Target = Type.String({
  maxLength: 64,
  description: "For tool sets and datasets: the agent, by name, that gets the tools or whose skill is tested.",
});

export const InstallListingBody = Type.Object(
  {
    digest: Digest,
    consent: Consent,
    suffix: Type.Optional(Suffix),
    agent: Type.Optional(Target),
  },
  { ...closed, description: "The version, by its digest, and the consent to its permissions." },
);
export type InstallListingBody = Static<typeof InstallListingBody>;

export const PreviewInstallBody = Type.Object(
  {
    version: Type.Optional(Version),
    suffix: Type.Optional(Suffix),
    agent: Type.Optional(Target),
    install: Type.Optional(
      Type.String({ maxLength: 64, description: "An install of it, `ins_…`: previews its update." }),
    ),
  },
  { ...closed, description: "`version`: default the newest approved." },
);
export type PreviewInstallBody = Static<typeof PreviewInstallBody>;

const PartAction = Type.Enum(["create", "change", "keep", "remove"] as const, {
  description: "`keep`: it stays, since an install of the same bundle created it, or the update does not change it.",
});

export const PlannedPart = Type.Object(
  {
    kind: PartKind,
    name: Type.String(),
    file: Type.String({ description: "Its file in the bundle." }),
    action: PartAction,
    operation: Type.String({ description: "The operation that creates it, such as `agents.createAgent`." }),
    permission: Type.String({ description: "The permission that it needs." }),
    permitted: Type.Boolean({ description: "Whether the caller's key has it." }),
    taken: Type.Boolean({ description: "Whether the name is taken: then install with `suffix`." }),
  },
  { description: "A part that an install would create." },
);
export type PlannedPart = Static<typeof PlannedPart>;

export const InstallPreview = Type.Object(
  {
    listing_id: ListingId,
    name: Type.String(),
    title: Type.String(),
    kind: BundleKind,
    version: Version,
    digest: Digest,
    publisher: PublisherBrief,
    key_change: Type.Enum(["first", "same", "rotated", "foreign"] as const, {
      description:
        "`first`: this organization accepts the publisher's key with this install. `rotated`: the key it accepted vouches for this one. `foreign`: it does not, so that this cannot be installed.",
    }),
    permissions: Type.Array(ListingPermission),
    permissions_digest: Type.String(),
    difference: nullable(PermissionDifference, "Against the installed version; null: a first install."),
    parts: Type.Array(PlannedPart),
    connections: Type.Array(Type.Object({ name: Type.String(), present: Type.Boolean() }), {
      description: "Connections that it needs, and whether this environment has them.",
    }),
    scan: ScanCounts,
    limits: Type.Array(Type.String()),
    faults: Type.Array(Type.Object({ code: Type.String(), detail: Type.String() }), {
      description: "Why it cannot be installed as asked; empty: it can.",
    }),
  },
  { description: "What an install or an update would create and ask for." },
);
export type InstallPreview = Static<typeof InstallPreview>;

export const InstallPart = Type.Object(
  {
    kind: PartKind,
    name: Type.String({ description: "Its name here, with the suffix." }),
    id: nullable(Type.String(), "Its id where it has one."),
    file: Type.String(),
    state: Type.Enum(["made", "kept", "failed", "removed"] as const, {
      description:
        "`kept`: another install of the same bundle created it. `failed`: see `problem`; `reset` tries again.",
    }),
    drift: Type.Enum(["none", "changed", "missing", "unknown"] as const, {
      description: "Whether it is still as in the bundle.",
    }),
    problem: nullable(Type.Object({ code: Type.String(), detail: Type.String() })),
    audit_ref: nullable(Type.String(), "The audit record of the call that created it."),
    link: nullable(Type.String(), "Its page in the portal."),
  },
  { description: "A part that the install created." },
);
export type InstallPart = Static<typeof InstallPart>;

export const NextStep = Type.Object(
  {
    step: Type.Enum(["connect", "train", "measure", "gate", "activate", "deploy", "try"] as const),
    title: Type.String({ description: "In words, such as `Train read_note on 412 examples`." }),
    done: Type.Boolean(),
    operation: nullable(Type.String(), "The operation for it; null if it is done elsewhere, as `title` says."),
    params: Type.Record(Type.String(), Type.Unknown(), { description: "Its path." }),
    body: Type.Record(Type.String(), Type.Unknown(), { description: "Its body." }),
    if_match: nullable(Type.String(), "The present ETag for `If-Match`; null if none is needed."),
  },
  { description: "A step until the install works." },
);
export type NextStep = Static<typeof NextStep>;

const brief = {
  install_id: InstallId,
  listing_id: ListingId,
  name: Type.String(),
  title: Type.String(),
  kind: BundleKind,
  publisher_id: Type.String(),
  version: Version,
  digest: Digest,
  suffix: Type.String({ description: "Empty: none." }),
  state: Type.Enum(["installing", "installed", "incomplete", "removed"] as const, {
    description: "`incomplete`: a part failed; `POST …/reset` tries it again.",
  }),
  update: nullable(
    Type.Object({
      version: Version,
      digest: Digest,
      asks_more: Type.Boolean({ description: "Whether it asks for more permissions." }),
    }),
    "A newer approved version; null: there is none.",
  ),
  drift: Type.Enum(["none", "changed", "unknown"] as const, {
    description: "Whether any part changed since it was installed.",
  }),
  recall: nullable(
    Type.Object({
      recall_id: Type.String(),
      kind: Type.Enum(["quarantine", "recall"] as const),
      reason: Type.String(),
      at: Time,
    }),
    "The quarantine or recall that stops it; null if none does.",
  ),
  installed_by: Type.String({ description: "By id." }),
  created_at: Time,
  updated_at: Time,
};

export const InstallSummary = Type.Object(brief, { description: "An install in this environment." });
export type InstallSummary = Static<typeof InstallSummary>;

export const Install = Type.Object(
  {
    ...brief,
    agent: nullable(Type.String(), "The agent that it created or extends, by name."),
    parts: Type.Array(InstallPart),
    consent: Type.Object({
      permissions: Type.Array(ListingPermission),
      publisher_key: KeyId,
      by: Type.String(),
      at: Time,
    }),
    next_steps: Type.Array(NextStep),
    readme: nullable(Type.String(), "The bundle's page, in Markdown."),
    revision: Type.Integer(),
  },
  { description: "An install: its parts, its permissions and the next steps." },
);
export type Install = Static<typeof Install>;

export const InstallResult = Type.Object(
  {
    install: nullable(Install, "Null on a dry run."),
    results: Type.Array(
      Type.Object({
        kind: PartKind,
        name: Type.String(),
        action: PartAction,
        status: nullable(Type.Integer(), "Of the call that created, changed or removed it; null without a call."),
        audit_ref: nullable(Type.String()),
        note: nullable(Type.String(), "Why it stays, or another note."),
        problem: nullable(Type.Record(Type.String(), Type.Unknown())),
      }),
    ),
    succeeded: Count("Calls that succeeded."),
    failed: Count("Calls that did not."),
  },
  { description: "The result of an install, update, reset or removal, part by part." },
);
export type InstallResult = Static<typeof InstallResult>;

export const UpdateInstallBody = Type.Object(
  {
    digest: Digest,
    consent: Consent,
    discard_local_changes: Type.Optional(
      Type.Boolean({
        description: "Also overwrites parts that were changed here; without it such an update is refused.",
      }),
    ),
  },
  { ...closed, description: "The version to install, by its digest, and the consent to its permissions." },
);
export type UpdateInstallBody = Static<typeof UpdateInstallBody>;

export const ResetInstallBody = Type.Object(
  {
    only_missing: Type.Optional(
      Type.Boolean({
        description: "True recreates failed and missing parts, and leaves changed ones alone. Default false.",
      }),
    ),
  },
  closed,
);
export type ResetInstallBody = Static<typeof ResetInstallBody>;
