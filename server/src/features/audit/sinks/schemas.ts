import { type Static, Type } from "typebox";
import { byKind } from "../../../kernel/by-kind.ts";
import { Count, closed, nullable, stoppedMembers, Time } from "../../../kernel/schema-words.ts";
import { Decision, StageName } from "../event-schemas.ts";
import {
  OtlpCredentials,
  OtlpTarget,
  S3SinkCredentials,
  S3Target,
  SinkKindName,
  SplunkCredentials,
  SplunkTarget,
  SyslogCredentials,
  SyslogTarget,
  WebhookSinkCredentials,
  WebhookTarget,
} from "./target-schemas.ts";

export {
  OtlpCredentials,
  OtlpTarget,
  S3SinkCredentials,
  S3Target,
  SplunkCredentials,
  SplunkTarget,
  SyslogCredentials,
  SyslogTarget,
  WebhookSinkCredentials,
  WebhookTarget,
} from "./target-schemas.ts";

export const SinkId = Type.String({ description: "The sink, `snk_…`." });

export const sinkFormats = ["json", "ocsf"] as const;
export const SinkFormat = Type.Enum(sinkFormats, {
  description:
    "`json`: the members of a record as `GET /v1/audit/events` lists them, with `leaf_index` and the exact text in `leaf_data`. `ocsf`: events of the Open Cybersecurity Schema Framework, as in exports.",
});
export type SinkFormat = Static<typeof SinkFormat>;

export const sinkStates = ["active", "paused"] as const;
const SinkState = Type.Enum(sinkStates, {
  description: "`paused`: nothing is sent; it goes on later where it was.",
});

const text = (description: string) => Type.String({ minLength: 1, maxLength: 500, description });
export const SinkFilter = Type.Object(
  {
    actor: Type.Optional(text("Who called: `mbr_…`, `system:<job>` or `anonymous`.")),
    action: Type.Optional(text("The operation, such as `agents.dispatchTask`.")),
    object: Type.Optional(text("What was acted on, `<type>:<id>`, such as `agent:sales`.")),
    decision: Type.Optional(
      Type.Array(Decision, { minItems: 1, maxItems: 3, uniqueItems: true, description: "What the calls came to." }),
    ),
    stage: Type.Optional(
      Type.Array(StageName, { minItems: 1, maxItems: 4, uniqueItems: true, description: "The stages that refused." }),
    ),
  },
  {
    ...closed,
    description: "Which records are sent; members narrow together. Without any: all of the environment's log.",
  },
);
export type SinkFilter = Static<typeof SinkFilter>;

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: "^[^\\u0000-\\u001f]+$",
  description: "What it is for, for people.",
});
const anyTarget = Type.Object(
  {},
  { additionalProperties: true, description: "Where records are sent; what it holds depends on `kind`." },
);
const anyCredentials = Type.Object(
  {},
  {
    additionalProperties: true,
    description: "What the receiver asks for, by `kind`. Stored encrypted and never shown.",
  },
);

const common = {
  name: Name,
  format: Type.Optional(SinkFormat),
  filter: Type.Optional(SinkFilter),
  from_leaf: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        "The first place of the log that is sent; 0 sends all of it. `position` of a sink that was removed goes on where that one ended. Default: records from now on.",
    }),
  ),
};
export const CreateWebhookSink = Type.Object(
  { ...common, kind: Type.Literal("webhook"), target: WebhookTarget, credentials: WebhookSinkCredentials },
  { ...closed, description: "JSON by HTTPS." },
);
export const CreateSplunkSink = Type.Object(
  { ...common, kind: Type.Literal("splunk_hec"), target: SplunkTarget, credentials: SplunkCredentials },
  { ...closed, description: "The HTTP Event Collector of Splunk." },
);
export const CreateSyslogSink = Type.Object(
  { ...common, kind: Type.Literal("syslog"), target: SyslogTarget, credentials: Type.Optional(SyslogCredentials) },
  { ...closed, description: "Syslog over TLS. Credentials where the receiver asks for a certificate." },
);
export const CreateOtlpSink = Type.Object(
  { ...common, kind: Type.Literal("otlp"), target: OtlpTarget, credentials: Type.Optional(OtlpCredentials) },
  { ...closed, description: "Logs of OpenTelemetry." },
);
export const CreateS3Sink = Type.Object(
  { ...common, kind: Type.Literal("s3"), target: S3Target, credentials: S3SinkCredentials },
  { ...closed, description: "Objects in a bucket." },
);
export const CreateSinkBody = Type.Object(
  { ...common, kind: SinkKindName, target: anyTarget, credentials: Type.Optional(anyCredentials) },
  {
    ...closed,
    ...byKind(
      "kind",
      {
        webhook: "CreateWebhookSink",
        splunk_hec: "CreateSplunkSink",
        syslog: "CreateSyslogSink",
        otlp: "CreateOtlpSink",
        s3: "CreateS3Sink",
      },
      [CreateWebhookSink, CreateSplunkSink, CreateSyslogSink, CreateOtlpSink, CreateS3Sink],
    ),
  },
);
export type CreateSinkBody = Static<typeof CreateSinkBody>;

export const ChangeSinkBody = Type.Object(
  {
    name: Type.Optional(Name),
    state: Type.Optional(SinkState),
    credentials: Type.Optional(anyCredentials),
  },
  { ...closed, minProperties: 1 },
);
export type ChangeSinkBody = Static<typeof ChangeSinkBody>;

/** A range of a closed log. */
export const NotSent = Type.Object(
  {
    log: Type.String({ description: "The log that was closed, by its origin." }),
    from_leaf: Count("The first record in it that was not sent."),
    to_leaf: Count("The last."),
    closed_at: Time,
  },
  { description: "Records that the sink had not sent when their log was closed: export that log to read them." },
);
export type NotSent = Static<typeof NotSent>;

export const AuditSink = Type.Object({
  sink_id: SinkId,
  name: Type.String(),
  kind: SinkKindName,
  target: Type.Object({}, { additionalProperties: true, description: "As it was given." }),
  has_credentials: Type.Boolean(),
  format: SinkFormat,
  filter: SinkFilter,
  state: SinkState,
  ...stoppedMembers,
  log: Type.String({ description: "The log that `position` is counted in, by its origin." }),
  since_leaf: Count("The first place that it was asked to send."),
  position: Count(
    "The first place that is still to be sent: all before it was acknowledged, or does not fit the filter.",
  ),
  sent_records: Count("Records that the receiver has acknowledged, each counted once."),
  lag_records: Count("Records of the log behind `position`."),
  lag_seconds: Type.Number({ minimum: 0, description: "Age of the oldest of them; 0: there is none." }),
  last_sent_at: nullable(Time, "When the receiver last acknowledged a batch; null: never."),
  checkpoint: nullable(
    Type.String(),
    "The signed head of the log (C2SP signed-note) that was sent with the last batch and covers it; null: none was sent.",
  ),
  failing_since: nullable(Time, "The first failure since the last batch that was acknowledged; null: none."),
  last_error: nullable(
    Type.Object({
      code: Type.String({
        description:
          "Such as `status`, `timeout`, `connect_failed`, `tls_failed`, `address_refused` and `log_altered`.",
      }),
      detail: Type.String(),
      at: Time,
    }),
    "Why the last attempt failed; null: it did not.",
  ),
  next_attempt_at: nullable(Time, "When a failed batch is sent again; null: no attempt failed."),
  not_sent: Type.Array(NotSent),
  revision: Type.Integer({ minimum: 1 }),
  created_by: Type.String({ description: "Who set it up, by id." }),
  created_at: Time,
  updated_at: Time,
});
export type AuditSink = Static<typeof AuditSink>;

export const RemovedSink = Type.Object({ sink_id: SinkId, removed: Type.Literal(true) });
