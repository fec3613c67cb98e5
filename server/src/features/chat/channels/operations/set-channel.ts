import { actorOfCall, withDeciders } from "../../../../kernel/actor.ts";
import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import type { CallContext, WriteContext } from "../../../../kernel/context.ts";
import type { Fault } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { findKnownAgent } from "../../../agents/public.ts";
import { channelPort } from "../../ports.ts";
import { writersBy } from "../actor.ts";
import { checkChannel } from "../check.ts";
import { exampleChannel, exampleEmailConfig } from "../example.ts";
import { canBeName, channelRows, channels } from "../resource.ts";
import { channelFaults, goesOn, keepsSecret } from "../rules.ts";
import { SetChannelBody } from "../schemas.ts";
import { openSecret, putChannel, sealSecret } from "../store.ts";
import type { ChannelRow } from "../view.ts";

/** `present`: null where the name is free. */
interface Loaded {
  readonly present: ChannelRow | null;
}

export const setChannel = defineOperation({
  ...channels.changeOfOne(),
  ...channels.answer,
  id: "chat.setChannel",
  method: "PUT",
  summary: "Connect or change a channel",
  description:
    "A mailbox, an app of Slack or the widget of a page by which people write to an agent. Whoever connects it answers for it: the agent works on their behalf, with their permissions. If they are removed, lose their role, or the key is revoked with which they connected it, " +
    "it stops (`stopped_reason`) until somebody sets it again or takes it over: mail stays unread, and messages of Slack are kept unanswered. " +
    "An enabled channel is tested first: where its servers cannot be used, the response names the setting and says why. " +
    "Messages that were in the mailbox before are not answered. Signatures, automatic replies, bounces and mailing lists are left alone.",
  body: SetChannelBody,
  example: {
    params: { channel: exampleChannel.name },
    body: {
      kind: "email",
      agent: "support",
      config: exampleEmailConfig,
      secret: { imap_password: "the-password-of-the-mailbox" },
    },
    output: { ...exampleChannel, last_read_at: null },
  },
  mayMatch: ({ present }: Loaded) => present?.revision ?? 0,
  load: async (ctx, { channel }): Promise<Loaded | undefined> =>
    canBeName(channel) ? { present: (await channelRows.find(ctx, channel)) ?? null } : undefined,
  validate: (ctx, { params, body, loaded }) => faultsOf(ctx, params.channel, body, loaded.present),
  gate: exempt("makes no agent act; each turn that begins by it passes the gate of its agent"),
  compliance: governs("chat.channel", (ctx, { body }: { body: SetChannelBody }) => agentFacts(ctx, body.agent)),
  async handle(ctx, { params: { channel: name }, body, loaded }) {
    const before = await channelRows.lock(ctx, name);
    if ((before?.revision ?? 0) !== (loaded.present?.revision ?? 0)) throw changedMeanwhile();
    const actor = withDeciders(actorOfCall(ctx), before ? writersBy(before) : []);
    const row = await putChannel(ctx, actor, settingsOf(ctx, name, body));
    channels.touch(ctx);
    return channels.view(row, ctx);
  },
});

const agentFacts = (ctx: CallContext, name: string) => {
  const agent = findKnownAgent(ctx, name);
  return agent ? { agent: { name: agent.agent, labels: agent.labels } } : {};
};

interface Tested {
  readonly secret: object | null;
  readonly reader: object;
}
const tested = new WeakMap<SetChannelBody, Tested>();

/** Tries the channel out before the transaction of the call begins, which would hold a connection to the database meanwhile. */
async function faultsOf(
  ctx: CallContext,
  name: string,
  body: SetChannelBody,
  present: ChannelRow | null,
): Promise<Fault[]> {
  const port = ctx.port(channelPort);
  const wrong = channelFaults(ctx, port, body, present);
  if (wrong.length > 0) return wrong;
  const kept = body.secret === undefined && keepsSecret(body, present);
  const secret = kept
    ? openSecret<object>(port.credentialKey, ctx.scope, name, present?.secret ?? null)
    : (body.secret ?? null);
  const before = present && goesOn(body, present) ? present.reader : null;
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

function settingsOf(ctx: WriteContext, name: string, body: SetChannelBody) {
  const { secret, reader } = tested.get(body) as Tested;
  const { kind, agent, enabled = true } = body;
  return {
    name,
    kind,
    agent,
    enabled,
    config: body.config,
    reader,
    secret: secret === null ? null : sealSecret(ctx.port(channelPort).credentialKey, ctx.scope, name, secret),
    next_read_at: kind === "email" && enabled ? new Date(ctx.now) : null,
  };
}
