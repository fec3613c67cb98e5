import type { TObject } from "typebox";
import type { EventType } from "../../../kernel/events.ts";

// Samples of events, made from their schemas: what a test sends, and what the catalogue shows.

/** What members of these names hold, whichever event they belong to. */
const known: Readonly<Record<string, unknown>> = {
  task_id: "tsk_01jd8x0000000000000000000a",
  agent: "sales",
  task: "qualify_lead",
  risk: "medium",
  status: "completed",
  summary: "A sample: nothing waits for anybody.",
  trust_score: 0.5,
  audit_ref: "aud_01jd8x0000000000000000000b",
  approval_id: "apr_01jd8x0000000000000000000d",
  key_id: "key_01jd8x0000000000000000000k",
  member_id: "mbr_01jd8x0000000000000000000e",
  by: "mbr_01jd8x0000000000000000000e",
  from: "mbr_01jd8x0000000000000000000e",
  to: "mbr_01jd8x0000000000000000000g",
  principal: "mbr_01jd8x0000000000000000000e",
  operation: "agents.dispatchTask",
  scope: "agent:sales",
  version: 1,
  run_id: "run_01jd8x0000000000000000000r",
  dataset: "sample-questions",
  deployment_id: "dep_01jd8x0000000000000000000p",
  kill_switch_id: "ksw_01jd8x0000000000000000000s",
  export_id: "exp_01jd8x0000000000000000000x",
  webhook_id: "whk_01jd8x0000000000000000000a",
  policy: "pol_01jd8x0000000000000000000q",
  rule: "large-refunds",
  name: "sample",
  url_host: "hooks.example.com",
  digest: "0".repeat(64),
};

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** A body of an event that fits its schema; `given` takes the place of members that it has. */
export function sampleOf(
  { type, schema }: EventType,
  time: string,
  given: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const members = Object.entries((schema as TObject).properties as Record<string, Schema>);
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      name === "event" ? type : name in given ? given[name] : memberOf(name, member, time),
    ]),
  );
}

function memberOf(name: string, schema: Schema, time: string): unknown {
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum.includes(known[name]) ? known[name] : schema.enum[0];
  if (schema.anyOf) return memberOf(name, schema.anyOf[0] as Schema, time);
  if (schema.format === "date-time") return time;
  if (schema.type === "array") return schema.items ? [memberOf(name, schema.items, time)] : [];
  if (schema.type === "object") {
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([key, member]) => [key, memberOf(key, member, time)]),
    );
  }
  if (schema.type === "boolean") return false;
  if (schema.type === "integer" || schema.type === "number") return known[name] ?? Math.max(schema.minimum ?? 0, 1);
  if (name === "version") return "1.0.0"; // of a listing; of agents it is a number
  return known[name] ?? `A sample of ${name}.`;
}
