import { Type } from "typebox";
import { actorOfCall, withDeciders } from "../../../kernel/actor.ts";
import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import type { Fault } from "../../../kernel/errors.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { findKnownAgent } from "../../agents/public.ts";
import { writersBy } from "../channel-actor.ts";
import { checkChannel } from "../channel-check.ts";
import { exampleChannel, exampleEmailConfig } from "../channel-example.ts";
import { channelFaults, channelView, goesOn, keepsSecret } from "../channel-model.ts";
import type { ChannelPort } from "../channel-ports.ts";
import { Channel, ChannelName, SetChannelBody } from "../channel-schemas.ts";
import { openSecret, sealSecret } from "../channel-secrets.ts";
import {
  type ChannelRow,
  canBeName,
  channelFacts,
  findChannel,
  lockChannel,
  putChannel,
  readChannel,
} from "../channel-store.ts";

/** `present`: null where the name is free. */
interface Loaded {
  readonly present: ChannelRow | null;
}

export const setChannel = withPorts(({ channels: port }) =>
  defineOperation({
    id: "chat.setChannel",
    method: "PUT",
    path: "/v1/chat/channels/{channel}",
    summary: "Connect or change a channel",
    description:
      "A mailbox, an app of Slack or the widget of a page by which people write to an agent. Whoever connects it answers for it: the agent works on their behalf, with their permissions. If they are removed, lose their role, or the key is revoked with which they connected it, " +
      "it stops (`stopped_reason`) until somebody sets it again or takes it over: mail stays unread, and messages of Slack are kept unanswered. " +
      "An enabled channel is tested first: where its servers cannot be used, the response names the setting and says why. " +
      "Messages that were in a mailbox before are not answered. Signatures, automatic replies, bounces and mailing lists are left alone.",
    params: Type.Object({ channel: ChannelName }),
    body: SetChannelBody,
    output: Channel,
    example: {
      params: { channel: exampleChannel.name },
      body: {
        ...{ kind: "email", agent: "support", config: exampleEmailConfig },
        secret: { imap_password: "the-password-of-the-mailbox" },
      },
      output: { ...exampleChannel, last_read_at: null },
    },
    revision: ({ revision }) => revision,
    revisionOfPart: true,
    mayMatch: ({ present }: Loaded) => present?.revision ?? 0,
    permission: "chat:manage",
    load: async (ctx, { channel }): Promise<Loaded | undefined> =>
      canBeName(channel) ? { present: (await findChannel(ctx, channel)) ?? null } : undefined,
    validate: (ctx, { params, body, loaded }) => faultsOf({ ctx, port, name: params.channel }, body, loaded.present),
    narrowing: whole("channels are settings of the environment"),
    gate: exempt("makes no agent act; each turn that begins by it passes the gate of its agent"),
    decides: "message",
    compliance: governs("chat.channel", (ctx, { body }: { body: SetChannelBody }) => agentFacts(ctx, body.agent)),
    audit: ({ params }) => `channel:${params.channel}`,
    async handle(ctx, { params: { channel: name }, body, loaded }) {
      const before = await lockChannel(ctx, name);
      if ((before?.revision ?? 0) !== (loaded.present?.revision ?? 0)) throw changedMeanwhile();
      const actor = withDeciders(actorOfCall(ctx), before ? writersBy(before) : []);
      await putChannel(ctx, actor, newRow(ctx, port, name, body));
      ctx.touch(channelFacts);
      return channelView(await readChannel(ctx, name), ctx.appUrl);
    },
  }),
);

const agentFacts = (ctx: CallContext, name: string) => {
  const agent = findKnownAgent(ctx, name);
  return agent ? { agent: { name: agent.agent, labels: agent.labels } } : {};
};

/** What a channel goes on with: its secret (null: it has none), and what its reader knows. */
interface Tested {
  readonly secret: object | null;
  readonly reader: object;
}
const tested = new WeakMap<SetChannelBody, Tested>();

interface Testing {
  readonly ctx: CallContext;
  readonly port: ChannelPort;
  readonly name: string;
}

/** Tries the channel out before the transaction of the call begins, which would hold a connection to the database meanwhile. */
async function faultsOf(
  { ctx, port, name }: Testing,
  body: SetChannelBody,
  present: ChannelRow | null,
): Promise<Fault[]> {
  const wrong = channelFaults(ctx, port, body, present);
  if (wrong.length > 0) return wrong;
  const kept = body.secret === undefined && keepsSecret(body, present);
  const secret = kept
    ? openSecret<object>(port.credentialKey, ctx.scope, name, present?.secret as Buffer | null)
    : (body.secret ?? null);
  const before = present && goesOn(body, present) ? (present.reader as object) : null;
  if (body.enabled === false || secret === null) {
    tested.set(body, { secret, reader: before ?? {} });
    return [];
  }
  const { faults, reader } = await checkChannel(
    { port, environment: ctx.scope.environment },
    body.kind,
    body.config,
    secret,
  );
  tested.set(body, { secret, reader: before ?? reader });
  return [...faults];
}

function newRow(ctx: WriteContext, port: ChannelPort, name: string, body: SetChannelBody) {
  const { secret, reader } = tested.get(body) as Tested;
  const now = new Date(ctx.now);
  const { kind, agent, enabled = true } = body;
  return {
    ...{ name, kind, agent, enabled, config: JSON.stringify(body.config), reader: JSON.stringify(reader) },
    secret: secret === null ? null : sealSecret(port.credentialKey, ctx.scope, name, secret),
    ...{ last_error: null, next_read_at: kind === "email" && enabled ? now : null },
    created_at: now,
    updated_at: now,
  };
}
