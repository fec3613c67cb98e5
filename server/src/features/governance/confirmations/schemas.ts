import { type Static, Type } from "typebox";
import { closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { AccountablePerson } from "../../admin/schemas.ts";

export const ContentObject = Type.String({
  minLength: 3,
  maxLength: 300,
  pattern: "^[a-z_]+:[^\\s]+$",
  description:
    "Content by its kind and name, such as `agent:sales@3`, `workflow:refund@2`, `trigger:wtr_…` and `connection:crm`.",
});
export const ContentDigest = Type.String({
  description: "Identifies this exact content; any change gives another digest.",
});

export const confirmationWays = ["confirmed", "deployed", "published"] as const;

export const Confirmation = Type.Object({
  confirmation_id: Type.String({ description: "`cnf_…`." }),
  object: ContentObject,
  digest: ContentDigest,
  how: Type.Enum(confirmationWays, {
    description: "`deployed` and `published`: the review was deploying or publishing it.",
  }),
  confirmed_by: Type.String({ description: "Who reviewed it: `mbr_…`." }),
  confirmed_by_name: Type.String({ description: "As the organization knows them; the id where there is no name." }),
  confirmed_at: Time,
});
export type Confirmation = Static<typeof Confirmation>;

export const AccountableContent = Type.Object({
  object: ContentObject,
  digest: ContentDigest,
  path: Type.String({ description: "Where to read the content itself in the interface." }),
  agents: nullable(Type.Array(Type.String()), "The agents that it concerns; null: none in particular."),
  deciders: Type.Array(AccountablePerson, {
    description:
      "The authors of it and of what it is built on, as far as no second person has reviewed that: each person once for each deed, with its latest time.",
  }),
  confirmed: nullable(
    Confirmation,
    "The review of this exact content in this environment. Null: there was none, so its authors cannot approve calls that use it.",
  ),
  may_confirm: Type.Object(
    { allowed: Type.Boolean(), reason: nullable(Type.String()) },
    { description: "Whether you may confirm it now, and if not, why." },
  ),
});
export type AccountableContent = Static<typeof AccountableContent>;

export const ConfirmBody = Type.Object(
  {
    object: ContentObject,
    digest: Type.String({ minLength: 1, maxLength: 200, description: "`digest` of the content as you read it." }),
  },
  closed,
);
export type ConfirmBody = Static<typeof ConfirmBody>;

export const StandingObject = Type.String({
  minLength: 3,
  maxLength: 300,
  pattern: "^[a-z_]+:[^\\s]+$",
  description: "The automation as `kind:id`, such as `trigger:wtr_…`, `schedule:sch_…` and `channel:support`.",
});
export const TakeOverBody = Type.Object({ object: StandingObject }, closed);
export type TakeOverBody = Static<typeof TakeOverBody>;

export const TakenOver = Type.Object({
  object: StandingObject,
  owner: Type.String({ description: "In whose name it acts from now on: the caller, `mbr_…`." }),
  previous_owner: Type.String({ description: "In whose name it acted before: `mbr_…` or `system:…`." }),
  stopped_reason: Type.Null({ description: "Always null: the automation runs again." }),
});
