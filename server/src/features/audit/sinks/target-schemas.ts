import { type Static, Type } from "typebox";
import { closed } from "../../../kernel/schema-words.ts";

export const sinkKinds = ["webhook", "splunk_hec", "syslog", "otlp", "s3"] as const;
export type SinkKind = (typeof sinkKinds)[number];
export const SinkKindName = Type.Enum(sinkKinds, {
  description:
    "`webhook`: JSON by HTTPS, signed as webhooks are. `splunk_hec`: the HTTP Event Collector of Splunk. `syslog`: RFC 5424 over TLS (RFC 5425). `otlp`: logs of OpenTelemetry by HTTP, as JSON. " +
    "`s3`: objects of JSON lines in a bucket.",
});

const Ca = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 20_000,
    pattern: "^\\s*-----BEGIN CERTIFICATE-----",
    description:
      "Certificates, in PEM, of the authorities to trust for this receiver instead of the well-known ones, such as your own.",
  }),
);
const Url = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 2_000,
    pattern: "^https?://[^\\s]+$",
    description: `${description} https, at a public address. In development, http to this machine works too.`,
  });
const word = (description: string) =>
  Type.Optional(Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$", description }));

export const WebhookTarget = Type.Object({ url: Url("Where batches are posted."), ca: Ca }, closed);
export type WebhookTarget = Static<typeof WebhookTarget>;

export const SplunkTarget = Type.Object(
  {
    url: Url("The collector, such as `https://splunk.example.com:8088`. `/services/collector/event` is added."),
    index: word("The index. Default: that of the token."),
    source: word("`source` of the events. Default: `aos`."),
    sourcetype: word("`sourcetype` of the records. Default: `aos:audit`."),
    ca: Ca,
  },
  closed,
);
export type SplunkTarget = Static<typeof SplunkTarget>;

export const SyslogTarget = Type.Object(
  {
    host: Type.String({
      pattern: "^[A-Za-z0-9:](?:[A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$",
      description: "The receiver, by name or address. Its certificate must be for it.",
    }),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, default: 6_514 })),
    facility: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 23, default: 13, description: "The facility; 13 is the log audit." }),
    ),
    app_name: Type.Optional(
      Type.String({ pattern: "^[\\x21-\\x7e]{1,48}$", default: "aos", description: "APP-NAME of the messages." }),
    ),
    ca: Ca,
  },
  closed,
);
export type SyslogTarget = Static<typeof SyslogTarget>;

export const OtlpTarget = Type.Object(
  { url: Url("Where logs are posted, such as `https://collector.example.com:4318/v1/logs`."), ca: Ca },
  closed,
);
export type OtlpTarget = Static<typeof OtlpTarget>;

export const S3Target = Type.Object(
  {
    endpoint: Url("The service, such as `https://s3.eu-central-1.amazonaws.com`."),
    bucket: Type.String({ pattern: "^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$", description: "The bucket." }),
    prefix: Type.Optional(
      Type.String({
        maxLength: 500,
        pattern: "^(?!/)[A-Za-z0-9!_.*'()/-]*$",
        description: "What names of objects begin with, such as `audit/production/`.",
      }),
    ),
    region: word("The region. Default: `us-east-1`."),
    every_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_600,
        default: 60,
        description: "Seconds between two objects while fewer records wait than one holds.",
      }),
    ),
    ca: Ca,
  },
  closed,
);
export type S3Target = Static<typeof S3Target>;

export interface TargetOfKind {
  readonly webhook: WebhookTarget;
  readonly splunk_hec: SplunkTarget;
  readonly syslog: SyslogTarget;
  readonly otlp: OtlpTarget;
  readonly s3: S3Target;
}

const secret = (description: string) =>
  Type.String({ minLength: 1, maxLength: 1_000, pattern: "^[\\x21-\\x7e]+$", description });

export const WebhookSinkCredentials = Type.Object(
  {
    signing_secret: Type.String({
      pattern: "^whsec_(?:[A-Za-z0-9+/]{4}){8,20}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
      description:
        "`whsec_` and the base64 of at least 24 random bytes. Batches are signed with it by Standard Webhooks. After a change, the former one signs too for a day.",
    }),
  },
  closed,
);
export type WebhookSinkCredentials = Static<typeof WebhookSinkCredentials>;

export const SplunkCredentials = Type.Object({ token: secret("The token of the HTTP Event Collector.") }, closed);
export type SplunkCredentials = Static<typeof SplunkCredentials>;

const Pem = (what: string, description: string) =>
  Type.String({ minLength: 1, maxLength: 20_000, pattern: `^\\s*-----BEGIN ${what}-----`, description });
export const SyslogCredentials = Type.Object(
  {
    certificate: Pem("CERTIFICATE", "The certificate that the receiver knows this service by, in PEM."),
    private_key: Pem("[A-Z ]*PRIVATE KEY", "Its private key, in PEM, without a passphrase."),
  },
  closed,
);
export type SyslogCredentials = Static<typeof SyslogCredentials>;

export const OtlpCredentials = Type.Object(
  {
    headers: Type.Record(
      Type.String({ pattern: "^[A-Za-z0-9-]{1,100}$" }),
      Type.String({ minLength: 1, maxLength: 4_000, pattern: "^[\\x20-\\x7e]+$" }),
      {
        ...closed,
        minProperties: 1,
        maxProperties: 10,
        description: "Headers of each request, such as `authorization`.",
      },
    ),
  },
  closed,
);
export type OtlpCredentials = Static<typeof OtlpCredentials>;

export const S3SinkCredentials = Type.Object(
  { access_key_id: secret("The access key's id."), secret_access_key: secret("Its secret.") },
  closed,
);
export type S3SinkCredentials = Static<typeof S3SinkCredentials>;

export interface CredentialsOfKind {
  readonly webhook: WebhookSinkCredentials;
  readonly splunk_hec: SplunkCredentials;
  readonly syslog: SyslogCredentials | null;
  readonly otlp: OtlpCredentials | null;
  readonly s3: S3SinkCredentials;
}

export const targetSchemas = {
  webhook: WebhookTarget,
  splunk_hec: SplunkTarget,
  syslog: SyslogTarget,
  otlp: OtlpTarget,
  s3: S3Target,
} as const;
export const credentialSchemas = {
  webhook: WebhookSinkCredentials,
  splunk_hec: SplunkCredentials,
  syslog: SyslogCredentials,
  otlp: OtlpCredentials,
  s3: S3SinkCredentials,
} as const;

/** Kinds whose receivers ask for credentials in any case. */
export const needsCredentials: ReadonlySet<SinkKind> = new Set(["webhook", "splunk_hec", "s3"]);
