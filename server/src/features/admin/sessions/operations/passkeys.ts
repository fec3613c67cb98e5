import { Type } from "typebox";
import { isoTime, timestamp } from "../../../../kernel/clock.ts";
import { openToAll } from "../../../../kernel/narrowing.ts";
import { defineOperation, defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { passkeyNotAccepted, personalSignInRequired } from "../errors.ts";
import { exampleOptions, examplePasskey, exampleResponse } from "../example.ts";
import { sessionFacts } from "../facts.ts";
import { listPasskeys, type PasskeyRow, voidPasskey } from "../passkeys-store.ts";
import { addPasskey, beginPasskey, requirePersonalSession } from "../register.ts";
import { NewPasskeyBody, Passkey, PasskeyOptions, Passkeys, RemovedPasskey } from "../schemas.ts";
import { ownSession } from "../view.ts";

const own = {
  permission: exempt("everybody looks after their own passkeys"),
  gate: exempt("makes no agent act"),
  emits: [],
} as const;

function passkeyView({ id, name, created_at, last_used_at }: PasskeyRow) {
  return {
    passkey_id: id,
    name,
    created_at: isoTime(created_at),
    last_used_at: isoTime(last_used_at),
  };
}

export const readPasskeys = defineRead({
  ...own,
  id: "sessions.readPasskeys",
  path: "/auth/passkeys",
  summary: "Read one's own passkeys",
  output: Passkeys,
  example: { output: { data: [examplePasskey] } },
  load: exempt("names no object; tells of the caller"),
  narrowing: openToAll("concerns the caller's own passkeys"),
  compliance: exempt("tells the caller of itself"),
  audit: "passkeys",
  async handle(ctx) {
    await ownSession(ctx);
    return { data: (await listPasskeys(ctx, ctx.principal.id)).map(passkeyView) };
  },
});

export const beginNewPasskey = defineOperation({
  ...own,
  id: "sessions.beginPasskey",
  method: "POST",
  path: "/auth/passkeys/options",
  summary: "Begin to make a passkey",
  output: PasskeyOptions,
  example: { output: exampleOptions },
  load: exempt("names no object; the passkey does not exist yet"),
  narrowing: openToAll("concerns the caller's own passkeys"),
  decides: exempt("sessions carry no content"),
  compliance: governs("passkey.change"),
  audit: "passkeys",
  errors: [personalSignInRequired],
  async handle(ctx) {
    await requirePersonalSession(ctx);
    return beginPasskey(ctx);
  },
});

export const addNewPasskey = defineOperation({
  ...own,
  id: "sessions.addPasskey",
  method: "POST",
  path: "/auth/passkeys",
  status: 201,
  summary: "Add a passkey",
  body: NewPasskeyBody,
  output: Passkey,
  example: { body: { name: "Laptop", response: exampleResponse }, output: examplePasskey },
  load: exempt("names no object; the passkey does not exist yet"),
  narrowing: openToAll("concerns the caller's own passkeys"),
  decides: exempt("sessions carry no content"),
  compliance: governs("passkey.change"),
  audit: ({ output }) => (output ? `passkey:${output.passkey_id}` : "passkeys"),
  errors: [personalSignInRequired, passkeyNotAccepted],
  async handle(ctx, { body }) {
    await requirePersonalSession(ctx);
    const passkey_id = await addPasskey(ctx, body);
    return { passkey_id, name: body.name, created_at: timestamp(ctx.now), last_used_at: null };
  },
});

export const removePasskey = defineOperation({
  ...own,
  id: "sessions.removePasskey",
  method: "DELETE",
  path: "/auth/passkeys/{passkey}",
  summary: "Remove a passkey",
  description: "It no longer signs anybody in, and the sessions that it opened end, in every environment.",
  params: Type.Object({ passkey: Type.String({ description: "`psk_…`" }) }),
  output: RemovedPasskey,
  example: {
    params: { passkey: examplePasskey.passkey_id },
    output: { passkey_id: examplePasskey.passkey_id, removed_at: "2026-11-20T12:00:00.000Z" },
  },
  load: async (ctx, { passkey }) => (await listPasskeys(ctx, ctx.principal.id)).find(({ id }) => id === passkey),
  narrowing: openToAll("concerns the caller's own passkeys"),
  decides: exempt("sessions carry no content"),
  compliance: exempt("nobody is kept from giving up rights"),
  audit: ({ params }) => `passkey:${params.passkey}`,
  errors: [personalSignInRequired],
  async handle(ctx, { loaded }) {
    await requirePersonalSession(ctx);
    await voidPasskey(ctx, ctx.principal.id, loaded.id);
    ctx.touch(sessionFacts);
    return { passkey_id: loaded.id, removed_at: timestamp(ctx.now) };
  },
});
