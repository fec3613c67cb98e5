import { Type } from "typebox";
import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import type { Fault } from "../../../kernel/errors.ts";
import { refuse } from "../../../kernel/errors.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { invalidBody } from "../../../kernel/problems.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { findKnownAgent } from "../../agents/public.ts";
import { checkChannel } from "../channel-check.ts";
import { exampleChannel, exampleEmailConfig } from "../channel-example.ts";
import { channelFaults, channelView, keepsSecret } from "../channel-model.ts";
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
      "A mailbox, an app of Slack or the widget of a page by which people write to an agent. Whoever connects it answers for it: the agent works on their behalf, with their permissions. " +
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
    validate: (ctx, { body, loaded }) => channelFaults(ctx, port, body, loaded.present),
    narrowing: whole("channels are settings of the environment"),
    gate: exempt("makes no agent act; each turn that begins by it passes the gate of its agent"),
    compliance: governs("chat.channel", (ctx, { body }: { body: SetChannelBody }) => agentFacts(ctx, body.agent)),
    audit: ({ params }) => `channel:${params.channel}`,
    async handle(ctx, { params: { channel: name }, body, loaded }) {
      const { secret, reader } = await tested(ctx, port, name, body, loaded.present);
      const before = await lockChannel(ctx, name);
      if ((before?.revision ?? 0) !== (loaded.present?.revision ?? 0)) throw changedMeanwhile();
      await putChannel(ctx, newRow(ctx, port, name, body, { secret, reader }));
      ctx.touch(channelFacts);
      return channelView(await readChannel(ctx, name), ctx.appUrl);
    },
  }),
);

const agentFacts = (ctx: CallContext, name: string) => {
  const agent = findKnownAgent(ctx, name);
  return agent ? { agent: { name: agent.agent, labels: agent.labels } } : {};
};

interface Tested {
  /** Null: the channel has none. */
  readonly secret: object | null;
  readonly reader: object;
}

async function tested(
  ctx: CallContext,
  port: ChannelPort,
  name: string,
  body: SetChannelBody,
  present: ChannelRow | null,
): Promise<Tested> {
  const kept = body.secret === undefined && keepsSecret(body, present);
  const secret = kept
    ? openSecret<object>(port.credentialKey, ctx.scope, name, present?.secret as Buffer | null)
    : (body.secret ?? null);
  const before = kept && isSameMailbox(present as ChannelRow, body) ? (present?.reader as object) : null;
  if (body.enabled === false || secret === null) return { secret, reader: before ?? {} };
  const checking = { port, environment: ctx.scope.environment };
  const { faults, reader } = await checkChannel(checking, body.kind, body.config, secret);
  if (faults.length > 0) throw unusable(faults);
  const goesOn = before !== null && Object.keys(before).length > 0 && body.kind === "email";
  return { secret, reader: goesOn ? before : reader };
}

const mailboxOf = ({ config }: { readonly config: object }): string =>
  (config as { imap?: { mailbox?: string } }).imap?.mailbox ?? "INBOX";
const isSameMailbox = (present: ChannelRow, body: SetChannelBody): boolean => mailboxOf(present) === mailboxOf(body);

const unusable = (errors: readonly Fault[]): Error =>
  refuse(invalidBody, "The channel cannot be used with these settings.", { errors });

function newRow(ctx: WriteContext, port: ChannelPort, name: string, body: SetChannelBody, { secret, reader }: Tested) {
  const now = new Date(ctx.now);
  const { kind, agent, enabled = true } = body;
  return {
    ...{ name, kind, agent, enabled, config: JSON.stringify(body.config), reader: JSON.stringify(reader) },
    secret: secret === null ? null : sealSecret(port.credentialKey, ctx.scope, name, secret),
    ...{ last_error: null, next_read_at: kind === "email" && enabled ? now : null },
    ...{ created_by: ctx.principal.id, created_at: now, updated_at: now },
  };
}
