import { dataKinds } from "@aos/data-classes";
import { type Static, Type } from "typebox";
import { byKind } from "../../../kernel/by-kind.ts";
import { environments } from "../../../kernel/principal.ts";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { ordinal } from "../../../kernel/whole-numbers.ts";

/** A pattern that the policy check enforces, with its own message. */
export const described = (pattern: string, maxLength: number) => ({
  "x-described": { type: "string", minLength: 1, maxLength, pattern },
});

export const ActionName = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "An action, such as `task.dispatch`.",
  ...described("^[a-z][a-z_]*(\\.[a-z][a-z_]*)*$", 64),
});
export const When = Type.String({
  minLength: 1,
  maxLength: 4096,
  description:
    'A condition in CEL over the policy context, such as `agent.name == "sales" && risk.score >= 7`. True: the effect applies.',
});
export const ReasonCode = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "A stable word for programs: a-z, 0-9 and _.",
  ...described("^[a-z][a-z0-9_]{0,63}$", 64),
});
export const Message = Type.String({ minLength: 1, maxLength: 500, description: "One sentence for whoever meets it." });

export const PolicyParams = Type.Object(
  {
    approvers: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 5,
        description: "Of `require_approval`: how many people must approve; default 1.",
      }),
    ),
    requester_allowed: Type.Optional(
      Type.Boolean({ description: "Of `require_approval`: whether the requester may be one of them; default true." }),
    ),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: "Of `require_approval`: the reason that approvers see; default: the message.",
      }),
    ),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64, ...described("^[a-z][a-z0-9_.:-]{0,63}$", 64) }), {
        minItems: 1,
        maxItems: 20,
        description: "Of `tag`: the tags.",
      }),
    ),
    kinds: Type.Optional(
      Type.Array(Type.Enum([...dataKinds]), {
        minItems: 1,
        maxItems: dataKinds.length,
        description: "Of `redact`: the kinds of data; default all.",
      }),
    ),
    steps: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: "Of `limit`: the most steps of the run." }),
    ),
    seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 86_400, description: "Of `limit`: the most seconds that it takes." }),
    ),
    tokens: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: "Of `limit`: the most tokens of models." }),
    ),
    cost_usd: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000,
        description: "Of `limit`: the most that it costs, in US dollars.",
      }),
    ),
  },
  { ...closed, description: "What the effect needs to know: members of that effect only." },
);
export type PolicyParams = Static<typeof PolicyParams>;

export const PolicyId = Type.String({ description: "The policy's id, `pol_…`." });
export const PolicyEffect = Type.Enum(["deny", "require_approval", "redact", "limit", "notify", "tag"] as const, {
  description:
    "What happens where `when` is true. `deny`: the call is refused. `require_approval`: it waits for people, and is refused where it cannot wait. " +
    "`redact`: the agent, its models and the journal get personal data as placeholders only, of what the actions named bring in: `task.run` the input and what people answer, `tool.call` what the tool finds, `model.call` what the model is asked. A tool is called with what stands behind the placeholders of its arguments, and who asked gets it back in the output. `limit`: the run gets bounds. `notify`: the call goes on, the violation is " +
    "listed and `policy.warned` is sent. `tag`: the task is tagged.",
});
export const PolicyState = Type.Enum(["draft", "shadow", "active", "retired"] as const, {
  description:
    "`draft`: nobody asks it. `shadow`: it is asked, and what it would have done is only recorded. `active`: it decides. `retired`: it is over.",
});
export const PolicyScope = Type.Object(
  {
    actions: Type.Optional(
      Type.Array(ActionName, {
        minItems: 1,
        maxItems: 100,
        description: "Actions that it is asked about; without it, all that agents do.",
      }),
    ),
    agents: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64, ...described("^[a-z0-9_*?-]{1,64}$", 64) }), {
        minItems: 1,
        maxItems: 100,
        description:
          "Names of agents; `*` stands for any run of characters, `?` for one. Without it, all agents, and calls that concern none.",
      }),
    ),
    environments: Type.Optional(
      Type.Array(Type.Enum(environments), {
        minItems: 1,
        maxItems: 1,
        description: "Only the environment of the key, where the policy is kept and holds.",
      }),
    ),
  },
  closed,
);
export type PolicyScope = Static<typeof PolicyScope>;

const Name = Type.String({ minLength: 1, maxLength: 200, description: "What people call it." });
const Controls = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 50,
  description: "Controls of frameworks that it implements, such as `soc2:CC6.1`.",
});
const Note = Type.String({ maxLength: 2000, description: "Why this version." });
const From = nullable(Time, "It holds from then on; null: at once.");
const Until = nullable(Time, "When it ends; null: it has no end.");
const NewState = Type.Enum(["draft", "shadow", "active"] as const, {
  default: "shadow",
  description:
    "Default `shadow`. `active`: the policy is first replayed over recorded calls; the report is kept with the version.",
});

const definition = {
  name: Name,
  scope: Type.Optional(PolicyScope),
  when: When,
  effect: PolicyEffect,
  params: Type.Optional(PolicyParams),
  reason_code: ReasonCode,
  message: Message,
  controls: Type.Optional(Controls),
  effective_from: Type.Optional(From),
  effective_until: Type.Optional(Until),
};

const written = { ...definition, state: Type.Optional(NewState), note: Type.Optional(Note) };
const { approvers, requester_allowed, reason, tags, kinds, steps, seconds, tokens, cost_usd } = PolicyParams.properties;
const noParams = Type.Optional(Type.Object({}, { ...closed, description: "It takes none." }));
export const PlainPolicyBody = Type.Object(
  { ...written, effect: Type.Enum(["deny", "notify"] as const), params: noParams },
  closed,
);
export const ApprovalPolicyBody = Type.Object(
  {
    ...written,
    effect: Type.Literal("require_approval"),
    params: Type.Optional(Type.Object({ approvers, requester_allowed, reason }, closed)),
  },
  closed,
);
export const RedactPolicyBody = Type.Object(
  { ...written, effect: Type.Literal("redact"), params: Type.Optional(Type.Object({ kinds }, closed)) },
  closed,
);
export const LimitPolicyBody = Type.Object(
  {
    ...written,
    effect: Type.Literal("limit"),
    params: Type.Object({ steps, seconds, tokens, cost_usd }, { ...closed, minProperties: 1 }),
  },
  closed,
);
export const TagPolicyBody = Type.Object(
  {
    ...written,
    effect: Type.Literal("tag"),
    params: Type.Object({ tags: Type.Required(Type.Object({ tags })).properties.tags }, closed),
  },
  closed,
);
const policiesByEffect = {
  deny: "PlainPolicyBody",
  notify: "PlainPolicyBody",
  require_approval: "ApprovalPolicyBody",
  redact: "RedactPolicyBody",
  limit: "LimitPolicyBody",
  tag: "TagPolicyBody",
};

export const PolicyBody = Type.Object(written, {
  ...closed,
  ...byKind("effect", policiesByEffect, [
    PlainPolicyBody,
    ApprovalPolicyBody,
    RedactPolicyBody,
    LimitPolicyBody,
    TagPolicyBody,
  ]),
});
export type PolicyBody = Static<typeof PolicyBody>;

export const ReplayOutcome = Type.Enum(["deny", "require_approval", "allow"] as const, {
  description: "What policies alone make of a call.",
});
const changes = {
  would_be_denied: Count("Went on or waited, and would be refused."),
  would_wait: Count("Would wait for people, and did not."),
  no_longer_denied: Count("Would be refused no longer."),
  no_longer_wait: Count("Would go on without waiting."),
  would_be_redacted: Count("More, or other, data would be redacted."),
  would_be_limited: Count("The run would get other bounds."),
};

export const ReplayReport = Type.Object({
  calls: Count("Recorded calls that were judged, by the policies in force and by those that would be."),
  not_replayable: Count(
    "Recorded calls that were left out, because what policies saw of them is no longer known exactly.",
  ),
  from: nullable(Time, "When the oldest record was made that was looked at; null where there was none."),
  to: Time,
  matched: Count("Calls to which the policy applies."),
  failed: Count("Calls on which its condition could not be evaluated; each would be refused with `policy_error`."),
  ...changes,
  examples: Type.Array(
    Type.Object({
      audit_ref: Type.String(),
      task_id: nullable(Type.String()),
      agent: nullable(Type.String()),
      before: ReplayOutcome,
      after: ReplayOutcome,
    }),
    { maxItems: 20, description: "Some of the calls that would come out otherwise, the newest." },
  ),
  by_agent: Type.Array(
    Type.Object({ agent: Type.String(), calls: Count("Its calls among those judged."), ...changes }),
    { maxItems: 100 },
  ),
  digest: Type.String({
    description:
      "SHA-256, in hexadecimal, of the report's canonical JSON (RFC 8785) without `digest` and `duration_ms`.",
  }),
  duration_ms: Count("How long it took."),
});
export type ReplayReport = Static<typeof ReplayReport>;

const shown = {
  policy_id: PolicyId,
  version: Type.Integer({ description: "Versions never change; each change makes the next one." }),
  state: PolicyState,
  name: Type.String({ description: "What people call it." }),
  scope: PolicyScope,
  when: When,
  effect: PolicyEffect,
  params: PolicyParams,
  reason_code: ReasonCode,
  message: Message,
  controls: Controls,
  effective_from: From,
  effective_until: Until,
  note: Note,
  author: Type.String({ description: "Who wrote this version." }),
  created_at: Time,
  activated_at: nullable(Time),
  retired_at: nullable(Time),
  retired_by: nullable(Type.String()),
  in_force: Type.Object(
    { active: nullable(Type.Integer()), shadow: nullable(Type.Integer()) },
    { description: "The versions that are asked now: one that decides, and one in shadow beside it." },
  ),
};

export const ViolationCounts = Type.Object({
  waited: Count("Tasks that it put before people."),
  blocked: Count("Calls that it refused."),
  would_block: Count("Calls that it would have refused."),
  would_wait: Count("Calls that it would have put before people."),
  warned: Count("Calls that it wanted noticed."),
});

export const PolicySummary = Type.Object({ ...shown, violations_30d: ViolationCounts });
export type PolicySummary = Static<typeof PolicySummary>;

export const Policy = Type.Object({
  ...shown,
  report: nullable(ReplayReport, "The replay before this version became active; null where it never did."),
  versions: Type.Array(
    Type.Object({
      version: Type.Integer(),
      state: PolicyState,
      note: Note,
      author: Type.String(),
      created_at: Time,
      activated_at: nullable(Time),
      retired_at: nullable(Time),
    }),
    {
      maxItems: 100,
      description: "The newest hundred, newest first. `?version=n` reads one of them, or an older one.",
    },
  ),
});
export type Policy = Static<typeof Policy>;

const optionalDefinition = Object.fromEntries(
  Object.entries(definition).map(([name, type]) => [name, Type.Optional(type)]),
) as {
  [Name in keyof typeof definition]: ReturnType<typeof Type.Optional<(typeof definition)[Name]>>;
};

export const SimulatePolicyBody = Type.Object(
  {
    ...optionalDefinition,
    policy: Type.Optional(
      Type.String({
        description:
          "An existing policy, `pol_…`: alone, its stored text is replayed; together with a text, that text is replayed in its place.",
      }),
    ),
    version: Type.Optional(ordinal("The stored version to replay; default: the newest. Only without a text.")),
    calls: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50_000,
        default: 10_000,
        description: "The most recorded calls to replay, newest first.",
      }),
    ),
    since: Type.Optional(
      Type.String({
        format: "date-time",
        description: "The oldest call to replay; default 30 days ago, at most 90.",
      }),
    ),
  },
  closed,
);
export type SimulatePolicyBody = Static<typeof SimulatePolicyBody>;

export const ViolationKind = Type.Enum(["blocked", "would_block", "would_wait", "warned"] as const, {
  description:
    "`blocked`: the call was refused. `would_block`, `would_wait`: a policy in shadow would have refused it, or put it before people. `warned`: a policy wanted it noticed.",
});
export const ViolationStatus = Type.Enum(["open", "resolved"] as const, {
  description: "Whether somebody has dealt with it.",
});

export const Violation = Type.Object({
  audit_ref: Type.String({ description: "The record of the call." }),
  source: Type.String({ description: "`pol_…`, `ksw_…`, `budget:<scope>/<unit>/<period>`, `gate` or `pause`." }),
  version: nullable(Type.Integer(), "Of a policy: the version that found it."),
  kind: ViolationKind,
  reason_code: Type.String(),
  message: Type.String(),
  operation: Type.String(),
  action: Type.String(),
  agent: nullable(Type.String()),
  task_id: nullable(Type.String()),
  principal: Type.String(),
  at: Time,
  status: ViolationStatus,
  owner: nullable(Type.String(), "Who looks after it; of a policy its author unless somebody took it over."),
});
export type Violation = Static<typeof Violation>;
