import { Type } from "typebox";
import { defineEvent, everyone } from "../../../kernel/events.ts";
import { Time } from "../../../kernel/schema-words.ts";
import { DelegationId } from "./schemas.ts";

const common = {
  delegation_id: DelegationId,
  from: Type.String({ description: "Who is away, `mbr_…`." }),
  to: Type.String({ description: "Who stands in, `mbr_…`." }),
  starts_at: Time,
  ends_at: Time,
};

export const delegationCreated = defineEvent({
  type: "delegation.created",
  summary: "A person will decide on approvals in the place of another for a time.",
  readers: everyone,
  schema: Type.Object({ event: Type.Literal("delegation.created"), ...common }),
});

export const delegationRemoved = defineEvent({
  type: "delegation.removed",
  summary: "A person no longer decides on approvals in the place of another.",
  readers: everyone,
  schema: Type.Object({ event: Type.Literal("delegation.removed"), ...common }),
});
