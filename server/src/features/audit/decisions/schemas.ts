import { type Static, Type } from "typebox";
import { nullable, Time } from "../../../kernel/schema-words.ts";
import { AuditEvent } from "../event-schemas.ts";

const Verdict = Type.Object({
  audit_ref: Type.String({ description: "The record that says so, `aud_…`." }),
  action: Type.String({ description: "The operation that was called." }),
  stage: Type.String({ description: "The stage of the pipeline." }),
  verdict: Type.String({ description: "What it decided, such as `allow` or `require_approval`." }),
  reasons: Type.Array(Type.String()),
  policy_version: nullable(Type.String({ description: "The policies that decided, with their versions." })),
});

const Vote = Type.Object({
  audit_ref: Type.String({ description: "The record of the call, `aud_…`." }),
  approval_id: nullable(Type.String()),
  action: Type.String({ description: "What they did, such as `approvals.approve`." }),
  actor: Type.String({ description: "Who, `mbr_…`." }),
  key_id: nullable(Type.String({ description: "With which key, `key_…`; null for a session." })),
  time: Time,
});

const DecisionApproval = Type.Object({
  approval_id: Type.String(),
  tool: nullable(Type.String({ description: "The tool whose call was to be approved; null: the task itself." })),
  status: Type.String(),
  reasons: Type.Array(Type.String(), { description: "Why people were asked." }),
  requested_at: Time,
  decided_at: nullable(Time),
});

const DecisionCall = Type.Object({
  step_id: Type.String(),
  kind: Type.String({ description: "`model` or `tool`, and others." }),
  name: Type.String(),
  state: Type.String(),
  cost_usd: Type.Number({ description: "US dollars." }),
  started_at: Time,
  finished_at: nullable(Time),
});

export const DecisionRecord = Type.Object({
  task_id: Type.String(),
  agent: Type.String(),
  skill: Type.String(),
  status: Type.String(),
  requested_by: Type.String({ description: "Who dispatched it, `mbr_…` or `system:…`." }),
  key_id: nullable(Type.String({ description: "With which key, `key_…`." })),
  created_at: Time,
  finished_at: nullable(Time),
  version: Type.Object(
    {
      version_id: Type.String(),
      number: Type.Integer(),
      model: Type.String({ description: "Provider and name." }),
      tools: Type.Array(Type.String(), { description: "The tools that the skill may call." }),
      digest: nullable(
        Type.String({
          description: "Of the version's definition: instructions, skills, tools and model as they were pinned.",
        }),
      ),
    },
    { description: "The agent's version that was pinned at the dispatch." },
  ),
  trust: Type.Object({
    at_dispatch: nullable(Type.Number({ description: "What the record of the dispatch says." })),
    now: Type.Number(),
  }),
  risk_level: Type.String(),
  cost_usd: nullable(Type.Number({ description: "US dollars, over all attempts." })),
  verdicts: Type.Array(Verdict, {
    description: "What stages decided other than to let pass, and policies that decided, from the records below.",
  }),
  votes: Type.Array(Vote, { description: "What people did to its approvals, from the records below." }),
  approvals: Type.Array(DecisionApproval),
  calls: Type.Array(DecisionCall, { description: "Calls of models and tools; at most the first 500." }),
  records: Type.Array(
    Type.Object({
      ...AuditEvent.properties,
      proof: nullable(
        Type.String({
          description: "C2SP tlog-proof, which holds the record itself. Null while the log is not signed.",
        }),
      ),
    }),
    { description: "All records of calls about the task in the order of the log; at most the newest 200." },
  ),
  complete: Type.Boolean({ description: "Whether these are all of its records." }),
  log_key: Type.String({ description: "The log's public key as a verifier key (C2SP signed-note)." }),
});
export type DecisionRecord = Static<typeof DecisionRecord>;
