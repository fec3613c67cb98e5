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
    code: Type.String({ description: "The violated rule, for programs." }),
    detail: Type.String({ description: "What is wrong and how to correct it, for people." }),
  },
  { description: "One invalid part of the input." },
);

/** The body of every error. */
export const Problem = Type.Object(
  {
    type: Type.String({ format: "uri", description: "URL of a page with cause, remedy and example." }),
    title: Type.String({ description: "The type of problem, for people." }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: "The HTTP status." }),
    code: Type.String({
      pattern: "^[a-z][a-z_]*$",
      description: "The type of problem, for programs. Codes are added, never renamed.",
    }),
    detail: Type.String({ description: "What was wrong with this call and how to correct it." }),
    instance: Type.String({ description: "Path of the call." }),
    request_id: Type.String({ description: "As the header `X-Request-Id`." }),
    audit_ref: Type.String({ description: "As the header `Audit-Ref`." }),
    stage: Type.Optional(Type.Enum(stages, { description: "The stage of the pipeline that refused." })),
    retryable: Type.Boolean({ description: "Whether the same call may succeed later." }),
    errors: Type.Optional(Type.Array(Fault, { description: "Everything that is wrong with the input." })),
  },
  {
    additionalProperties: true,
    description: "A problem (RFC 9457). Some types add members, such as `missing_scope` or `policies`.",
  },
);

const { instance, audit_ref: _audit_ref, stage: _stage, errors: _errors, ...unreadMembers } = Problem.properties;

/** A problem of a request that was refused before it was a call. */
export const UnreadProblem = Type.Object(
  { ...unreadMembers, instance: Type.Optional(instance) },
  { additionalProperties: true, description: "A problem (RFC 9457) of a request that never became a call." },
);

/** What one stage of the pipeline said. */
export const StageVerdict = Type.Object(
  {
    stage: Type.Enum(stages, { description: "The stage of the pipeline." }),
    verdict: Type.Enum(["allow", "deny", "require_approval", "not_applicable", "recorded", "not_reached"], {
      description: "The stage's verdict.",
    }),
    reasons: Type.Array(Type.String(), { description: "Reasons for the verdict." }),
    policy_version: nullableText("Version of what it decided by; null where there is none."),
  },
  { description: "Verdict of one pipeline stage." },
);

/** The answer to a change with `dry_run=true`. */
export const DryRun = Type.Object(
  {
    dry_run: Type.Literal(true, { description: "Nothing was changed." }),
    response_status: Type.Integer({
      minimum: 200,
      maximum: 299,
      description: "The HTTP status that the call would return.",
    }),
    stages: Type.Array(StageVerdict, { description: "Verdict of each stage." }),
    approval: Type.Union(
      [
        Type.Object({
          approvers: Type.Integer({ minimum: 1, description: "Number of people who would have to approve." }),
          requester_allowed: Type.Boolean({ description: "Whether the caller may approve." }),
          reasons: Type.Array(Type.String(), { description: "Why approval is required." }),
        }),
        Type.Null(),
      ],
      { description: "The approval that gate and policies require; null if none." },
    ),
    tags: Type.Array(Type.String(), { description: "Tags added by gate and policies." }),
    events: Type.Array(Type.String(), { description: "The events that would be emitted." }),
    result: Type.Optional(
      Type.Unknown({ description: "Of a batch: what it would return, with the status of each of its calls." }),
    ),
  },
  { description: "What a call would do. Every stage checked it and it was recorded; nothing else changed." },
);
