import { Type } from "typebox";
import { defineEvent } from "../kernel/events.ts";

/** A call that a policy forbade. */
export const policyBlockedEvent = defineEvent({
  type: "policy.blocked",
  summary: "A policy forbade a call.",
  schema: Type.Object({
    event: Type.Literal("policy.blocked"),
    operation: Type.String({ description: "The operation that was called." }),
    agent: Type.Union([Type.String(), Type.Null()], {
      description: "The agent concerned; null where the call concerns none.",
    }),
    principal: Type.String({ description: "Who called." }),
    detail: Type.String({ description: "Why, in one sentence." }),
    audit_ref: Type.String({ description: "The record of the call." }),
  }),
});

/** A call that a policy with the effect `notify` wants noticed. */
export const policyWarnedEvent = defineEvent({
  type: "policy.warned",
  summary: "A policy wants a call noticed; it did not stop it.",
  schema: Type.Object({
    event: Type.Literal("policy.warned"),
    operation: Type.String({ description: "The operation that was called." }),
    agent: Type.Union([Type.String(), Type.Null()], {
      description: "The agent concerned; null where the call concerns none.",
    }),
    principal: Type.String({ description: "Who called." }),
    policy: Type.String({ description: "The policy." }),
    reason_code: Type.String({ description: "The policy's reason code." }),
    message: Type.String({ description: "The policy's message." }),
    audit_ref: Type.String({ description: "The record of the call." }),
  }),
});
