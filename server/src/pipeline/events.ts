import { Type } from "typebox";
import type { Decider } from "../kernel/actor.ts";
import { defineEvent, type EmittedEvent, type EventType, everyone } from "../kernel/events.ts";

/** A call that a policy forbade. */
export const policyBlockedEvent = defineEvent({
  type: "policy.blocked",
  summary: "A policy forbade a call.",
  readers: everyone,
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
  readers: everyone,
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

/** Collects the events of a call; each is an object of a declared type, turned into the text that is stored. */
export function collectEvents(): {
  events: EmittedEvent[];
  emit: (type: EventType, body: object, task?: { id: string; sequence: number }, deciders?: readonly Decider[]) => void;
} {
  const events: EmittedEvent[] = [];
  const emit = (
    type: EventType,
    body: object,
    task?: { id: string; sequence: number },
    deciders: readonly Decider[] = [],
  ): void => {
    // Whoever reads a task reads its events, without looking at other objects.
    if (task && type.readers !== everyone) throw new Error(`${type.type} has readers, so it is no event of a task`);
    events.push({
      type: type.type,
      taskId: task?.id ?? null,
      taskSequence: task?.sequence ?? null,
      body: JSON.stringify({ event: type.type, ...body }),
      ...(deciders.length > 0 && { deciders: JSON.stringify(deciders) }),
    });
  };
  return { events, emit };
}
