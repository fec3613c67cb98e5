import type { AuditSink, NewSink } from "../../api/audit.ts";

export type Kind = AuditSink["kind"];

export interface SinkField {
  /** The place in the body: `target.url`, `credentials.token`. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly type?: "url" | "number" | "password" | "long";
}

const ca: SinkField = {
  name: "target.ca",
  label: "Certificate authority",
  type: "long",
  placeholder: "-----BEGIN CERTIFICATE-----",
  hint: "In PEM, where the receiver's certificate is of your own authority.",
};
const address = (placeholder: string, hint?: string): SinkField => ({
  name: "target.url",
  label: "Address",
  type: "url",
  placeholder,
  required: true,
  ...(hint !== undefined && { hint }),
});

/** What each kind of receiver is, and what it needs to know. */
export const sinkKinds: Readonly<
  Record<
    Kind,
    { readonly title: string; readonly target: readonly SinkField[]; readonly credentials: readonly SinkField[] }
  >
> = {
  webhook: {
    title: "Webhook",
    target: [address("https://siem.example.com/aos"), ca],
    credentials: [
      {
        name: "credentials.signing_secret",
        label: "Signing secret",
        type: "password",
        required: true,
        placeholder: "whsec_…",
        hint: "whsec_ and the base64 of at least 24 random bytes: batches are signed with it.",
      },
    ],
  },
  splunk_hec: {
    title: "Splunk",
    target: [
      address("https://splunk.example.com:8088", "The HTTP Event Collector."),
      { name: "target.index", label: "Index", placeholder: "audit" },
      ca,
    ],
    credentials: [{ name: "credentials.token", label: "Token", type: "password", required: true }],
  },
  syslog: {
    title: "Syslog over TLS",
    target: [
      { name: "target.host", label: "Host", placeholder: "logs.example.com", required: true },
      { name: "target.port", label: "Port", type: "number", placeholder: "6514" },
      ca,
    ],
    credentials: [
      {
        name: "credentials.certificate",
        label: "Client certificate",
        type: "long",
        hint: "In PEM, only where the server asks for one.",
      },
      { name: "credentials.private_key", label: "Its private key", type: "long" },
    ],
  },
  otlp: {
    title: "OpenTelemetry collector",
    target: [address("https://collector.example.com:4318/v1/logs"), ca],
    credentials: [
      {
        name: "credentials.headers.authorization",
        label: "Authorization",
        type: "password",
        placeholder: "Bearer …",
        hint: "The header of that name; empty where the collector asks for none.",
      },
    ],
  },
  s3: {
    title: "S3 bucket",
    target: [
      {
        name: "target.endpoint",
        label: "Endpoint",
        type: "url",
        placeholder: "https://s3.eu-central-1.amazonaws.com",
        required: true,
      },
      { name: "target.region", label: "Region", placeholder: "us-east-1" },
      { name: "target.bucket", label: "Bucket", required: true },
      { name: "target.prefix", label: "Names begin with", placeholder: "audit/production/" },
    ],
    credentials: [
      { name: "credentials.access_key_id", label: "Access key id", required: true },
      { name: "credentials.secret_access_key", label: "Secret access key", type: "password", required: true },
    ],
  },
};

type Nested = { [name: string]: string | number | Nested };

/** What a form holds of these fields, by their places; empty fields are left out. */
export function valuesOf(fields: readonly SinkField[], form: FormData): Nested {
  const body: Nested = {};
  for (const { name, type } of fields) {
    const value = String(form.get(name) ?? "").trim();
    if (value === "") continue;
    const path = name.split(".");
    let at = body;
    for (const step of path.slice(0, -1)) {
      const known = at[step];
      const next = typeof known === "object" ? known : {};
      at[step] = next;
      at = next;
    }
    at[path.at(-1) as string] = type === "number" ? Number(value) : value;
  }
  return body;
}

/** The body of a new sink. */
export function newSinkOf(kind: Kind, form: FormData): NewSink {
  const { target, credentials } = sinkKinds[kind];
  return {
    name: String(form.get("name") ?? ""),
    kind,
    ...valuesOf([...target, ...credentials], form),
    ...(form.get("from") === "all" && { from_leaf: 0 }),
  } as NewSink;
}
