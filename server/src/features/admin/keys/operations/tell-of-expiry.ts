import { asEarlier } from "../../../../kernel/actor.ts";
import { timestamp } from "../../../../kernel/clock.ts";
import type { ReadContext } from "../../../../kernel/context.ts";
import { Refusal, refuse } from "../../../../kernel/errors.ts";
import type { Sweep } from "../../../../kernel/machines.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { keyExpiring } from "../events.ts";
import { findKey, type KeyRow, keyDeciders, listExpiringKeys, noteExpiry } from "../store.ts";

export interface TellOfExpiry {
  readonly key: string;
}

export const tellOfExpiry: InsideOperation<TellOfExpiry, { readonly told: true }> = defineInside({
  id: "admin.tellOfExpiry",
  summary: "Tell that a key ends soon",
  permission: exempt("a machine of the service itself"),
  load: (ctx: ReadContext, { key }: TellOfExpiry) => findKey(ctx, key),
  gate: exempt("starts no work"),
  compliance: exempt("tells of what was said when the key was issued"),
  audit: ({ params }: { params: TellOfExpiry; loaded: KeyRow | undefined }) => `key:${params.key}`,
  emits: [keyExpiring],
  errors: [conflict],
  async handle(ctx, { loaded: key }) {
    if (!(await noteExpiry(ctx, key.id)))
      throw refuse(conflict, "The key does not expire soon, or people were notified before.");
    const { id, name, role, member_id } = key;
    const told = { key_id: id, name, role, member_id, expires_at: timestamp((key.expires_at as Date).getTime()) };
    const issuers = asEarlier(await keyDeciders(ctx, member_id, id), "event", `key:${id}`);
    ctx.emit(keyExpiring, told, undefined, issuers);
    return { told: true as const };
  },
});

const most = 200;

export const tellOfExpiringKeys: Sweep = {
  name: "admin.tellOfExpiringKeys",
  async run({ db, inside, now }) {
    for (const { organization, environment, id } of await listExpiringKeys(db, new Date(now), most)) {
      await inside(tellOfExpiry, { organization, environment }, { key: id }).catch((error: unknown) => {
        // It was just revoked, or another process reported it.
        if (!(error instanceof Refusal && error.type.code === conflict.code)) throw error;
      });
    }
  },
};
