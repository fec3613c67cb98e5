import { type Static, type TProperties, type TSchema, Type } from "typebox";
import { environments } from "../../../kernel/principal.ts";
import { closed, nullable } from "../../../kernel/schema-words.ts";

export const onExpiryWords = ["reject", "escalate"] as const;
const ApprovalSettings = Type.Object({
  expires_in_seconds: nullable(
    Type.Integer({ minimum: 60, maximum: 31_536_000 }),
    "How long an approval of this risk waits, where the dispatch does not say; null: for ever.",
  ),
  on_expiry: Type.Enum(onExpiryWords, {
    description: "What happens when nobody decides in time. It is never approved automatically.",
  }),
});

const MOST_READS = 100;
const Reads = Type.Array(
  Type.String({
    maxLength: 2_100,
    pattern: "^POST https?://[^\\s?#]+$",
    description:
      "The method and the address as the tool writes it, without a query: `POST https://api.example.com/search`.",
  }),
  {
    maxItems: MOST_READS,
    uniqueItems: true,
    description:
      "Requests that only read although their method may write, such as searches by POST. Tools of `effect: read` that send any other POST count as writes. It holds for runs that start afterwards.",
  },
);

const Retention = nullable(
  Type.Integer({ minimum: 0, maximum: 36_500 }),
  "Days after which a closed conversation is erased; null: it is kept until somebody erases it.",
);

const Kept = (what: string) => Type.Integer({ minimum: 1, maximum: 36_500, description: `Days after which ${what}.` });
const retentionMembers = {
  deliveries_days: Kept("webhook deliveries that have ended are deleted, with their attempts"),
  exports_days: Kept("finished audit exports are deleted, with their files; the audit log itself is always kept"),
};

const MOST_WORTHS = 200;
const Amount = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description }));
const Worths = Type.Array(
  Type.Object(
    {
      agent: Type.String({ minLength: 1, maxLength: 64 }),
      skill: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: "Left out: skills of the agent that are not named." }),
      ),
      minutes: Amount("Minutes of work that an accepted task saves."),
      usd_per_hour: Amount("What an hour of that work costs, in US dollars."),
      usd: Amount("What an accepted task is worth besides, in US dollars."),
    },
    closed,
  ),
  {
    maxItems: MOST_WORTHS,
    description: "What an accepted task is worth; `GET /v1/analytics/value` sets it against its cost.",
  },
);

const DimensionLabels = Type.Array(
  Type.String({
    pattern: "^[a-z][a-z0-9_-]{0,31}$",
    description: "Such as `customer`, for labels like `customer:acme`.",
  }),
  {
    maxItems: 5,
    uniqueItems: true,
    description:
      "Labels of tasks by whose values analytics tells figures apart, up to 1,000 values each. A new one counts for tasks that are dispatched or end afterwards; `POST /v1/analytics/rebuild` recounts earlier ones. An environment can declare 32 different labels over time: nothing is counted by a later one, and `uncounted_labels` of `GET /v1/analytics/schema` names it. Values are kept as tasks have them: declare none that names a person.",
  },
);

export const Settings = Type.Object({
  rate: Type.Object({
    per_second: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: "Requests a second of a key that has no rate of its own.",
    }),
  }),
  tools: Type.Object({ reads: Reads }),
  approvals: Type.Object({
    strict: Type.Boolean({
      description:
        "Whether risk alone asks for approval, critical actions take two persons other than the requester, and only people who signed in personally count. Staging and production: always.",
    }),
    low: ApprovalSettings,
    medium: ApprovalSettings,
    high: ApprovalSettings,
    critical: ApprovalSettings,
  }),
  chat: Type.Object({ retention_days: Retention }),
  retention: Type.Object(retentionMembers),
  analytics: Type.Object({ labels: DimensionLabels, value: Worths }),
});
export type Settings = Static<typeof Settings>;

/** A part of a merge patch: every member may be left out, and null brings its standard back. */
const patchOf = <P extends TProperties>(members: P, description: string) =>
  Type.Union([Type.Object(members, { ...closed, description }), Type.Null()]);
const orNull = <T extends TSchema>(type: T) => Type.Optional(nullable(type));
const ApprovalPatch = Type.Optional(
  patchOf(
    {
      expires_in_seconds: orNull(Type.Integer({ minimum: 60, maximum: 31_536_000 })),
      on_expiry: orNull(Type.Enum(onExpiryWords)),
    },
    "Of one risk level.",
  ),
);

const RatePatch = patchOf(
  { per_second: orNull(Type.Integer({ minimum: 1, maximum: 10_000 })) },
  "The request rate of keys that have none of their own.",
);
const ApprovalsPatch = patchOf(
  {
    strict: orNull(
      Type.Boolean({ description: "In development: decide as strictly as production. Elsewhere it is always true." }),
    ),
    low: ApprovalPatch,
    medium: ApprovalPatch,
    high: ApprovalPatch,
    critical: ApprovalPatch,
  },
  "How strictly people decide, and how long approvals wait, by risk level.",
);
export const SettingsPatch = Type.Object(
  {
    rate: Type.Optional(RatePatch),
    tools: Type.Optional(patchOf({ reads: orNull(Reads) }, "What tools may do.")),
    approvals: Type.Optional(ApprovalsPatch),
    chat: Type.Optional(patchOf({ retention_days: orNull(Retention) }, "How long conversations are kept.")),
    retention: Type.Optional(
      patchOf(
        {
          deliveries_days: orNull(retentionMembers.deliveries_days),
          exports_days: orNull(retentionMembers.exports_days),
        },
        "How long rows are kept that are needed only for a while.",
      ),
    ),
    analytics: Type.Optional(
      patchOf(
        { labels: orNull(DimensionLabels), value: orNull(Worths) },
        "What analytics tells apart, and what tasks are worth.",
      ),
    ),
  },
  closed,
);
export type SettingsPatch = Static<typeof SettingsPatch>;

export const ChangeSettingsBody = Type.Object(
  {
    settings: Type.Optional(SettingsPatch),
    limits: Type.Optional(
      Type.Unknown({
        description: "Belong to the installation: they are shown here, and naming one is 422 `not_changeable`.",
      }),
    ),
  },
  {
    ...closed,
    description: "A JSON Merge Patch (RFC 7396): what is left out stays, and null brings the standard back.",
  },
);
export type ChangeSettingsBody = Static<typeof ChangeSettingsBody>;

/** The installation's limits: shown, and the same in every environment. */
export const SettingLimits = Type.Object({
  json_body_bytes: Type.Integer({ description: "Longest JSON body." }),
  json_depth: Type.Integer({ description: "How deep a JSON body may be nested." }),
  json_members: Type.Integer({
    description: "Most members of one object in a JSON body. An operation that takes more says so in its description.",
  }),
  json_values: Type.Integer({
    description:
      "Most values of a JSON body: every text, number, boolean, null, object and list counts. An operation that takes more says so in its description.",
  }),
  headers_bytes: Type.Integer({ description: "All header fields of a request together." }),
  request_seconds: Type.Integer({ description: "How long a request may take to arrive." }),
  wait_seconds: Type.Integer({ description: "Longest wait that `Prefer: wait` can ask for." }),
  batch_items: Type.Integer({ description: "Most items of a batch." }),
  page_items: Type.Integer({ description: "Most items of a page." }),
  idempotency_hours: Type.Integer({
    description: "How long a repetition with the same Idempotency-Key is answered as the first call was.",
  }),
});
export type SettingLimits = Static<typeof SettingLimits>;

export const EnvironmentSettings = Type.Object({
  environment: Type.Enum(environments),
  revision: Type.Integer({ description: "Counts the changes; 0: nothing was ever changed." }),
  settings: Settings,
  limits: SettingLimits,
});
export type EnvironmentSettings = Static<typeof EnvironmentSettings>;
