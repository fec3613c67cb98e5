import { Type } from "typebox";

// What the pipeline itself answers. Exported names are the names of the components.

const stages = ["permissions", "evaluation_gate", "compliance", "audit"] as const;
const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** One fault of an input, with its place: exactly one of `pointer`, `parameter`, `header`. */
export const Fault = Type.Object(
  {
    pointer: Type.Optional(Type.String({ description: "JSON Pointer (RFC 6901) into the body." })),
    parameter: Type.Optional(Type.String({ description: "Name of the query or path parameter." })),
    header: Type.Optional(Type.String({ description: "Name of the request header." })),
    line: Type.Optional(Type.Integer({ minimum: 1, description: "Line of a body that is a file." })),
    column: Type.Optional(Type.Integer({ minimum: 1, description: "Column in that line, in characters." })),
    code: Type.String({ description: "The rule that was broken, for programs." }),
    detail: Type.String({ description: "The rule and what to do, for people." }),
  },
  { description: "One fault of an input, with its place." },
);

/** The body of every error. */
export const Problem = Type.Object(
  {
    type: Type.String({ format: "uri", description: "Address of a page with cause, remedy and example." }),
    title: Type.String({ description: "The kind of problem, in words." }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: "The HTTP status." }),
    code: Type.String({
      pattern: "^[a-z][a-z_]*$",
      description: "The kind of problem, for programs. Codes are added, never renamed.",
    }),
    detail: Type.String({ description: "What was wrong with this call: the field, the rule, the remedy." }),
    instance: Type.String({ description: "Path of the call." }),
    request_id: Type.String({ description: "As the header `X-Request-Id`." }),
    audit_ref: Type.String({ description: "As the header `Audit-Ref`." }),
    stage: Type.Optional(Type.Enum(stages, { description: "The stage of the pipeline that refused." })),
    retryable: Type.Boolean({ description: "Whether the same call may succeed later." }),
    errors: Type.Optional(Type.Array(Fault, { description: "Every fault of the input at once." })),
  },
  {
    additionalProperties: true,
    description: "A problem (RFC 9457). Some kinds add members of their own, such as `missing_scope` or `policies`.",
  },
);

/** What one stage of the pipeline said. */
export const StageVerdict = Type.Object(
  {
    stage: Type.Enum(stages, { description: "The stage of the pipeline." }),
    verdict: Type.Enum(["allow", "deny", "require_approval", "not_applicable", "recorded", "not_reached"], {
      description: "What it said.",
    }),
    reasons: Type.Array(Type.String(), { description: "Why." }),
    policy_version: nullableText("Version of what it decided by; null where there is none."),
  },
  { description: "What one stage of the pipeline said of the call." },
);

/** The answer to a change with `dry_run=true`. */
export const DryRun = Type.Object(
  {
    dry_run: Type.Literal(true, { description: "Nothing was changed." }),
    response_status: Type.Integer({
      minimum: 200,
      maximum: 299,
      description: "The status that the call itself would have.",
    }),
    stages: Type.Array(StageVerdict, { description: "What each stage said." }),
    approval: Type.Union(
      [
        Type.Object({
          approvers: Type.Integer({ minimum: 1, description: "How many persons would have to approve." }),
          requester_allowed: Type.Boolean({ description: "Whether the caller may be one of them." }),
          reasons: Type.Array(Type.String(), { description: "Why approval is asked for." }),
        }),
        Type.Null(),
      ],
      { description: "The approval that gate and policies ask for; null for none." },
    ),
    tags: Type.Array(Type.String(), { description: "What gate and policies note." }),
    events: Type.Array(Type.String(), { description: "The events that would be emitted." }),
  },
  { description: "What a call would do. It was checked by every stage and recorded, and changed nothing else." },
);
