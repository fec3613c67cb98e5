import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../kernel/schema-words.ts";
import { Decision, StageName } from "./event-schemas.ts";

export * from "./decisions/schemas.ts";
export * from "./event-schemas.ts";
export * from "./exports/range-schemas.ts";
export * from "./log/summary-schemas.ts";
export * from "./sinks/schemas.ts";

const text = (description: string) => Type.String({ minLength: 1, maxLength: 500, description });

export const exportFormats = ["jsonl", "csv", "ocsf"] as const;
export const ExportFormat = Type.Enum(exportFormats, {
  description:
    "`jsonl`: the exact text of each record, whose hash stands in the log. `csv`: a table (RFC 4180). `ocsf`: events of the Open Cybersecurity Schema Framework, class API Activity, one a line. " +
    "Each row carries its place in the log and the record's exact text, whatever the format.",
});
export type ExportFormat = Static<typeof ExportFormat>;

export const exportStates = ["queued", "running", "completed", "failed"] as const;
export const ExportState = Type.Enum(exportStates, { description: "Where the export stands; the last two are final." });

const filters = {
  actor: Type.Optional(text("Who called: `mbr_…`, `system:<job>` or `anonymous`.")),
  action: Type.Optional(text("The operation, such as `agents.dispatchTask`.")),
  object: Type.Optional(text("What was acted on, `<type>:<id>`, such as `agent:sales`.")),
  task: Type.Optional(text("Records of this task, `tsk_…`.")),
  key: Type.Optional(text("Records of calls with this key, `key_…`.")),
  key_seq: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "With `key`: the record of this number.",
    }),
  ),
  decision: Type.Optional(
    Type.Array(Decision, { minItems: 1, maxItems: 3, uniqueItems: true, description: "What the calls came to." }),
  ),
  stage: Type.Optional(
    Type.Array(StageName, { minItems: 1, maxItems: 4, uniqueItems: true, description: "The stages that refused." }),
  ),
  from_leaf: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        "Records from this place in the log on: an earlier export's `tree_size` goes on where that one ended, with no gap.",
    }),
  ),
  created_after: Type.Optional(
    Type.String({ format: "date-time", description: "Calls that began at this time or later." }),
  ),
  created_before: Type.Optional(
    Type.String({ format: "date-time", description: "Calls that began before this time." }),
  ),
};

export const ExportFilter = Type.Object(filters, {
  additionalProperties: false,
  description:
    "Which records; they narrow together. Without any: the whole log of the key's environment, as far as the key sees it.",
});
export type ExportFilter = Static<typeof ExportFilter>;

export const SignedFilter = Type.Object(
  {
    ...filters,
    agents: Type.Optional(
      Type.Array(Type.String(), {
        description: "The key was narrowed to these agents: records that concern others are not in the file.",
      }),
    ),
  },
  { description: "Which records were asked for." },
);
export type SignedFilter = Static<typeof SignedFilter>;

export const StartExportBody = Type.Object({ format: ExportFormat, filter: Type.Optional(ExportFilter) }, closed);

export const ExportId = Type.String({ description: "The export, `exp_…`." });

export const AuditExport = Type.Object({
  export_id: ExportId,
  format: ExportFormat,
  schema_version: Type.String({
    description: "The version of the form; of `ocsf` that of the OCSF schema, which each event names as well.",
  }),
  filter: SignedFilter,
  state: ExportState,
  tree_size: Type.Integer({
    minimum: 0,
    description: "Records of the log when the export was asked for; later ones are not in it.",
  }),
  rows: nullable(Type.Integer({ minimum: 0, description: "Records in the file." })),
  bytes: nullable(Type.Integer({ minimum: 0, description: "Length of the file." })),
  digest: nullable(Type.String({ description: "SHA-256 of the file, in hexadecimal." })),
  manifest: nullable(
    Type.String({
      description:
        "A signed note (C2SP signed-note) by the log's key over format, filter, rows, bytes, SHA-256, the head of the log and what has no row. It is signed only after every record of the log, as far as the export reaches, was found to be what was logged: `aos audit verify <file> --manifest <manifest> --key <log_key>` checks the file, row by row against that head, without this service.",
    }),
  ),
  log_key: Type.String({
    description:
      "The log's public key as a verifier key (C2SP signed-note). Keep it from an answer that you trust, and verify with that one.",
  }),
  failure: nullable(
    Type.String({
      description:
        "Why there is no file. Where the database no longer holds what was logged: which record, and what differs.",
    }),
  ),
  created_at: Time,
  finished_at: nullable(Time),
  requested_by: Type.String({ description: "Who asked for it: `mbr_…`." }),
});
export type AuditExport = Static<typeof AuditExport>;
