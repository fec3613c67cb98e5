import { dataKinds } from "@aos/data-classes";
import { type Static, Type } from "typebox";
import { closed } from "../../../kernel/schema-words.ts";

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
        description: "Of `require_approval`: how many people must approve; 1 unless told.",
      }),
    ),
    requester_allowed: Type.Optional(
      Type.Boolean({ description: "Of `require_approval`: whether who asked may be one of them; true unless told." }),
    ),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: "Of `require_approval`: what approvers are told; the message unless told.",
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
        description: "Of `redact`: the kinds of data; all unless told.",
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
