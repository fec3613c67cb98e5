import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { Party } from "../party.ts";

export const DelegationId = Type.String({ description: "The delegation's id, `dlg_…`." });

export const delegationStates = ["scheduled", "active", "ended"] as const;

const reason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: "\\S",
  description: "Why, such as `On leave`. Whoever may read approvals reads it.",
});

export const CreateDelegationBody = Type.Object(
  {
    from: Type.Optional(
      Type.String({ description: "Who is away, `mbr_…`. Default: the caller. Only admins name somebody else." }),
    ),
    to: Type.String({ description: "Who stands in: a person who may decide here, `mbr_…`." }),
    starts_at: Type.Optional(Type.String({ format: "date-time", description: "Default: now." })),
    ends_at: Type.String({ format: "date-time", description: "At most a year after it starts." }),
    reason: Type.Optional(reason),
  },
  closed,
);
export type CreateDelegationBody = Static<typeof CreateDelegationBody>;

export const Delegation = Type.Object(
  {
    delegation_id: DelegationId,
    from: Party,
    to: Party,
    starts_at: Time,
    ends_at: Time,
    reason: nullable(reason),
    state: Type.Enum(delegationStates, {
      description: "`active`: votes of `to` are cast for `from`. It ends by its date, or with the role of either.",
    }),
    ended_reason: nullable(Type.String(), "Why it has ended; null: it has not."),
    created_by: Party,
    created_at: Time,
  },
  { description: "One person decides on approvals in the place of another for a time, in one environment." },
);
export type Delegation = Static<typeof Delegation>;

export const RemovedDelegation = Type.Object({ delegation_id: DelegationId, removed: Type.Literal(true) });
