import { Type } from "typebox";
import { openToAll } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { isCatalogueType } from "../../triggers/matching.ts";
import { eventTypePattern, HookName } from "../../triggers/schemas.ts";
import { hookReceived } from "../events.ts";
import { hookDeciders } from "../facts.ts";
import { noteCall } from "../store.ts";

const HookBody = Type.Record(Type.String(), Type.Unknown());
const possibleType = new RegExp(eventTypePattern);

/** Receives a call of another service, authenticated by its signature. It is in no API description, as its senders have no key. */
export const receiveHook = defineOperation({
  id: "workflows.receiveHook",
  method: "POST",
  path: "/v1/hooks/{hook}",
  status: 202,
  summary: "Publish an event by an inbound hook",
  params: Type.Object({ hook: HookName, webhook_id: Type.String() }),
  body: HookBody,
  output: Type.Object({
    hook: Type.String(),
    webhook_id: Type.String(),
    repeated: Type.Boolean({ description: "The call was taken before, and had no further effect." }),
    audit_ref: Type.String({ description: "The record of the call that was taken." }),
  }),
  example: {
    params: { hook: "orders", webhook_id: "msg_1" },
    body: { type: "order.refund_requested", data: { order_id: "or_2001" } },
    output: { hook: "orders", webhook_id: "msg_1", repeated: false, audit_ref: "aud_01jd8x0000000000000000000b" },
  },
  permission: exempt("whoever has the hook's secret may publish its events"),
  load: exempt("the signature says which hook is called"),
  narrowing: openToAll("publishes an event; what a trigger starts has the permissions of its own account"),
  validate: (_ctx, { body: { type } }) => {
    const fault = (code: string, detail: string) => [{ pointer: "/type", code, detail }];
    if (type === undefined || type === null) return [];
    if (typeof type !== "string" || !possibleType.test(type))
      return fault("pattern", "must be a name of at most 128 letters, digits, `.`, `_`, `/`, `:` and `-`");
    return isCatalogueType(type)
      ? fault("reserved", `is an event that only the service itself publishes; call it otherwise than ${type}`)
      : [];
  },
  gate: exempt("makes no agent act; each step of a run that it starts passes the gate of its agent"),
  decides: "hook_payload",
  compliance: governs("hook.receive", (_ctx, { body }: { body: Record<string, unknown> }) => ({ input: body })),
  audit: ({ params }) => `hook:${params.hook}`,
  emits: [hookReceived],
  async handle(ctx, { params: { hook, webhook_id }, body }) {
    const first = await noteCall(ctx, hook, webhook_id);
    if (first === null) ctx.emit(hookReceived, { hook, ...published(body) }, undefined, hookDeciders(ctx, hook));
    return { hook, webhook_id, repeated: first !== null, audit_ref: first ?? ctx.auditRef };
  },
});

/** The event type of a body and its content: its `data` as Standard Webhooks has it, else all of it. */
function published(body: Record<string, unknown>): { type: string | null; data: Record<string, unknown> } {
  const { type, data } = body;
  const isStandard = typeof type === "string" && typeof data === "object" && data !== null && !Array.isArray(data);
  return {
    type: typeof type === "string" ? type : null,
    data: isStandard ? (data as Record<string, unknown>) : body,
  };
}
