import { type Static, Type } from "typebox";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import {
  BundleKind,
  Digest,
  KeyId,
  ListingId,
  ListingPermission,
  ListingState,
  Note,
  PublisherBrief,
  ScanCounts,
  Scorecard,
  Version,
  Visibility,
} from "../schema-words.ts";

const Names = (of: string, maxItems = 50) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    minItems: 1,
    maxItems,
    uniqueItems: true,
    description: of,
  });
const Ref = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });

export const ListingSource = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal("agent"),
        agent: Ref("The agent, by name."),
        version: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: "One of its versions." }),
        training: Type.Optional(
          Names("Datasets that it was trained on, by name; whoever installs it trains it again."),
        ),
        datasets: Type.Optional(Names("Datasets of its evaluation. Default: those of its gate in this environment.")),
        knowledge: Type.Optional(
          Names("Knowledge bases whose documents go along. Default: none; installers bring their own."),
        ),
        policies: Type.Optional(Names("Policies that go along, by id.")),
      },
      closed,
    ),
    Type.Object(
      {
        kind: Type.Literal("workflow"),
        workflow: Ref("The workflow, by name."),
        version: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: "One of its published versions." }),
      },
      closed,
    ),
    Type.Object(
      {
        kind: Type.Literal("tool_set"),
        agent: Ref("The agent whose tools they are."),
        version: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: "One of its versions." }),
        tools: Type.Optional(Names("Some of its tools, by name. Default: all.", 100)),
      },
      closed,
    ),
    Type.Object({ kind: Type.Literal("policy_pack"), policies: Names("Policies, by id.") }, closed),
    Type.Object({ kind: Type.Literal("dataset"), datasets: Names("Datasets, by name or id.", 20) }, closed),
    Type.Object({ kind: Type.Literal("scorer"), scorers: Names("Scorers, by name.", 20) }, closed),
  ],
  { description: "Own work of this environment, which is packed as it is now." },
);
export type ListingSource = Static<typeof ListingSource>;

const texts = {
  title: Type.String({ minLength: 1, maxLength: 120 }),
  summary: Type.String({ minLength: 1, maxLength: 300, description: "What it is for, in a sentence or two." }),
  business_function: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "Such as `Finance`." })),
  license: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "An SPDX expression." })),
  readme: Type.Optional(Type.String({ minLength: 1, maxLength: 100_000, description: "Its page, in Markdown." })),
  limits: Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
    minItems: 1,
    maxItems: 50,
    description: "Its limits: at least one sentence.",
  }),
  requires: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
      minItems: 1,
      maxItems: 50,
      description: "What else an installer needs or has to change, in words.",
    }),
  ),
  data: Type.Optional(
    Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 2000 }), {
      description:
        "Descriptions of datasets, by name: what data it is, who wrote it and how it was chosen; shown in the scorecard.",
    }),
  ),
};

export const CreateListingBody = Type.Object(
  {
    name: Type.Optional(
      Type.String({ pattern: "^[a-z][a-z0-9-]{0,39}$", description: "The listing's name, the same in every version." }),
    ),
    version: Type.Optional(Version),
    visibility: Type.Optional(Visibility),
    source: Type.Optional(ListingSource),
    title: Type.Optional(texts.title),
    summary: Type.Optional(texts.summary),
    business_function: texts.business_function,
    license: texts.license,
    readme: texts.readme,
    limits: Type.Optional(texts.limits),
    requires: texts.requires,
    data: texts.data,
    file: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8_000_000,
        description: "The text of an `.aosbundle` file from another installation, which contains everything else.",
      }),
    ),
    note: Type.Optional(Note("For whoever reviews it.")),
  },
  {
    ...closed,
    description:
      "Own work: `source` with `name`, `version`, `title`, `summary` and `limits`. Or `file` alone (with `visibility` and `note` if wanted): a bundle that another installation made.",
  },
);

/** What is left out stays as in the version before. */
export const CreateListingVersionBody = Type.Object(
  {
    version: Type.Optional(Version),
    source: Type.Optional(ListingSource),
    title: Type.Optional(texts.title),
    summary: Type.Optional(texts.summary),
    business_function: texts.business_function,
    license: texts.license,
    readme: texts.readme,
    limits: Type.Optional(texts.limits),
    requires: texts.requires,
    data: texts.data,
    changes: Type.Optional(Note("What is new, for whoever updates.")),
    file: CreateListingBody.properties.file,
    note: Type.Optional(Note("For whoever reviews it.")),
  },
  {
    ...closed,
    description: "`version` and `source`, or `file` alone. What is left out stays as in the version before.",
  },
);
export type CreateListingVersionBody = Static<typeof CreateListingVersionBody>;

export const ChangeListingBody = Type.Object(
  { visibility: Type.Optional(Visibility), business_function: texts.business_function },
  {
    ...closed,
    minProperties: 1,
    description: "Members that are not signed. The others change with a new version.",
  },
);

export const ListingVersion = Type.Object(
  {
    version: Version,
    digest: Digest,
    bytes: Count("Size of its file."),
    state: ListingState,
    reason: nullable(Type.String(), "Why it was rejected, quarantined, recalled; or what its reviewer said."),
    changes: nullable(Type.String(), "What is new in it, as its publisher says."),
    note: nullable(Type.String(), "A note from its submitter to reviewers."),
    scan: ScanCounts,
    submitted_by: Type.String({ description: "By id." }),
    reviewed_by: nullable(Type.String(), "By id; null: not yet."),
    reviewed_at: nullable(Time),
    review_strict: Type.Boolean({
      description:
        "Whether a second person who signed in personally approved it, as staging and production demand; else it can be installed in development only.",
    }),
    created_at: Time,
  },
  { description: "A version of a listing. It never changes." },
);
export type ListingVersion = Static<typeof ListingVersion>;

const summary = {
  listing_id: ListingId,
  name: Type.String(),
  kind: BundleKind,
  title: Type.String(),
  summary: Type.String(),
  business_function: nullable(Type.String()),
  publisher: PublisherBrief,
  visibility: Visibility,
  origin: Type.Enum(["own", "imported", "starter"] as const, {
    description:
      "`own`: packed from this organization's work. `imported`: from a file. `starter`: ships with the service.",
  }),
  state: ListingState,
  version: Version,
  digest: Digest,
  scorecard: nullable(Scorecard, "Null: nothing was measured."),
  scan: ScanCounts,
  rating: nullable(
    Type.Object({ mean: Type.Number({ description: "Stars, 1 to 5." }), ratings: Count("Members who rated it.") }),
    "Null: nobody rated it yet.",
  ),
  installs: Count("Present installs in all environments."),
  created_at: Time,
  updated_at: Time,
};

export const Listing = Type.Object(summary, {
  description: "An entry of the catalogue, with its newest approved version, or its newest while none is.",
});
export type Listing = Static<typeof Listing>;

export const ListingDetail = Type.Object(
  {
    ...summary,
    license: nullable(Type.String()),
    readme: nullable(Type.String(), "Markdown."),
    limits: Type.Array(Type.String()),
    requires: Type.Object({ connections: Type.Array(Type.String()), notes: Type.Array(Type.String()) }),
    permissions: Type.Array(ListingPermission),
    permissions_digest: Type.String({ description: "SHA-256 of the permissions, which a consent names." }),
    signature: Type.Object({
      verified: Type.Boolean(),
      key_id: KeyId,
      keys: Type.Array(KeyId, {
        description: "From the publisher's first key to the one that signs, each vouching for the next.",
      }),
      signed_at: Time,
    }),
    files: Type.Array(Type.Object({ path: Type.String(), bytes: Count("Its size."), digest: Type.String() })),
    versions: Type.Array(ListingVersion, { description: "The newest ten; `…/versions` lists all." }),
    open_reports: Count("Reports of abuse since it was last reviewed."),
    revision: Type.Integer(),
  },
  { description: "A listing with everything to know before installing it." },
);
export type ListingDetail = Static<typeof ListingDetail>;

export const ListingPublisher = Type.Object(
  {
    publisher_id: Type.String(),
    name: Type.String(),
    own: Type.Boolean(),
    pinned: nullable(
      Type.Object({ key_id: KeyId, at: Time, by: Type.String() }),
      "The key that was accepted with a first install; null: none was yet. This organization's own needs none.",
    ),
    keys: Type.Array(
      Type.Object({
        key_id: KeyId,
        public_key: Type.String({ description: "Ed25519, base64." }),
        signs: Type.Boolean({ description: "The key that signs now." }),
        vouched_by: nullable(KeyId, "The key before, which signed the rotation; null: the first."),
      }),
    ),
    listings: Count("Listings of it here."),
    created_at: Time,
  },
  { description: "A signer of bundles, with its keys." },
);
export type ListingPublisher = Static<typeof ListingPublisher>;

export const ReviewListingBody = Type.Object(
  {
    decision: Type.Enum(["approve", "reject", "quarantine", "recall"] as const, {
      description:
        "`approve` also ends a quarantine. `quarantine` and `recall` stop installs in every environment within a minute; a recall is final.",
    }),
    version: Type.Optional(Version),
    digest: Type.Optional(Digest),
    reason: Note("Why. People whose work is stopped read it."),
    accept_findings: Type.Optional(
      Type.Boolean({
        description: "Approves a version although its scan has errors; `reason` says why that is right.",
      }),
    ),
  },
  {
    ...closed,
    description:
      "`version`: default the newest that waits, for approve and reject; all versions, for quarantine and recall. `digest` has to be given to approve: what was reviewed.",
  },
);
export type ReviewListingBody = Static<typeof ReviewListingBody>;

export const ListingScan = Type.Object(
  {
    listing_id: ListingId,
    version: Version,
    digest: Digest,
    counts: ScanCounts,
    scanned_at: Time,
    sarif: Type.Record(Type.String(), Type.Unknown(), { description: "SARIF 2.1.0." }),
  },
  { description: "What the static scan found. With `Accept: application/sarif+json`: the SARIF log alone." },
);
export type ListingScan = Static<typeof ListingScan>;

export const ListingReview = Type.Object(
  {
    member: Type.String({ description: "By id." }),
    stars: Type.Integer({ minimum: 1, maximum: 5 }),
    text: nullable(Type.String()),
    version: Version,
    installed: Type.Boolean({ description: "Whether this organization had it installed when it was rated." }),
    created_at: Time,
    updated_at: Time,
  },
  { description: "A member's rating of a listing; the latest counts." },
);
export type ListingReview = Static<typeof ListingReview>;

export const RateListingBody = Type.Object(
  {
    stars: Type.Integer({ minimum: 1, maximum: 5, description: "1 to 5." }),
    text: Type.Optional(Note("What worked and what did not.")),
    version: Type.Optional(Version),
  },
  { ...closed, description: "`version`: default the newest approved." },
);

export const abuseKinds = ["malicious", "misleading", "personal_data", "copyright", "broken", "other"] as const;
export const ReportListingBody = Type.Object(
  {
    kind: Type.Enum(abuseKinds, { description: "What is wrong with it." }),
    detail: Note("What you saw, and where."),
    version: Type.Optional(Version),
  },
  closed,
);

export const ListingReport = Type.Object(
  {
    report_id: Type.String({ description: "`abr_…`." }),
    listing_id: ListingId,
    version: Version,
    kind: Type.Enum(abuseKinds),
    detail: Type.String(),
    reported_by: Type.String({ description: "By id." }),
    created_at: Time,
  },
  { description: "A report of abuse, for those who review listings." },
);
export type ListingReport = Static<typeof ListingReport>;

export const Recall = Type.Object(
  {
    recall_id: Type.String({ description: "`rcl_…`." }),
    kind: Type.Enum(["quarantine", "recall"] as const),
    listing_id: ListingId,
    name: Type.String(),
    title: Type.String(),
    versions: Type.Array(Type.Object({ version: Version, digest: Digest })),
    reason: Type.String(),
    by: Type.String({ description: "By id." }),
    at: Time,
    lifted_at: nullable(Time, "When the listing was approved again; null while it is in force."),
    done: Type.Boolean({ description: "Whether every install was reached." }),
    installs: Count("Installs that it reached."),
    stopped: Type.Array(
      Type.Object({
        environment: Type.String(),
        install_id: InstallRef(),
        kind: Type.Enum(["agent", "workflow", "tool"] as const),
        target: Type.String({ description: "What was stopped, by name." }),
        kill_switch_id: Type.String({ description: "The kill switch that stops it, `ksw_…`." }),
        at: Time,
        tasks_ended: Count("Tasks that it ended."),
        seconds: nullable(Type.Number(), "From the decision until nothing of it ran; null while something runs."),
      }),
    ),
  },
  { description: "A quarantine or recall, and what it stopped." },
);
export type Recall = Static<typeof Recall>;

function InstallRef() {
  return Type.String({ description: "`ins_…`." });
}
