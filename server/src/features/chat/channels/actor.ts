import { type Actor, asEarlier, keyOfActor, storedActor } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { defineStanding, resolveActor, stoppedText, tellStopped } from "../../admin/public.ts";
import type { Writers } from "../conversations/writers.ts";
import { channelRows } from "./resource.ts";
import { giveChannel, stopChannel } from "./store.ts";
import type { ChannelRow } from "./view.ts";

const channelObject = (name: string): string => `channel:${name}`;

/** Whoever has set up a channel had its secrets, and could have sent what comes by it. */
export const writersBy = ({ name, actor }: Pick<ChannelRow, "name" | "actor">): Writers =>
  asEarlier(storedActor(actor).persons, "channel", channelObject(name));

export function ownerOf({ actor }: Pick<ChannelRow, "actor">): { readonly owner: string; readonly key: string | null } {
  const stored = storedActor(actor);
  return { owner: stored.owner, key: keyOfActor(stored) };
}

export type ChannelActor =
  | { readonly actor: Actor; readonly stopped: null }
  | { readonly actor: null; readonly stopped: string };

/** In whose name the agent answers what comes by a channel. Where they no longer may, the channel stops. The operation `emits` `automation.stopped`. */
export async function actorOfChannel(ctx: WriteContext, channel: ChannelRow): Promise<ChannelActor> {
  if (channel.stopped_reason !== null) return { actor: null, stopped: channel.stopped_reason };
  const stored = storedActor(channel.actor);
  const { actor, stopped: why } = await resolveActor(ctx, stored, "chat:write", [channel.agent]);
  if (actor) return { actor, stopped: null };
  const stopped = stoppedText(why);
  if (await stopChannel(ctx, channel, stopped)) tellStopped(ctx, channelObject(channel.name), stored.owner, stopped);
  return { actor: null, stopped };
}

export const standingChannel = defineStanding({
  kind: "channel",
  permission: "chat:write",
  part: "channel",
  async find(ctx, name) {
    const row = await channelRows.find(ctx, name);
    if (!row) return undefined;
    const { actor, stopped_reason: stoppedReason, agent } = row;
    const object = channelObject(name);
    return {
      object,
      actor: storedActor(actor),
      deciders: writersBy(row),
      stoppedReason,
      agents: [agent],
      path: "/v1/chat/channels",
    };
  },
  lock: channelRows.lock,
  give: giveChannel,
});
