import type { Fault } from "../../../kernel/errors.ts";
import type { Environment } from "../../../kernel/principal.ts";
import { ChannelFault, type ChannelPort, type MailboxPosition } from "../ports.ts";
import { serversOf, slackUrl } from "./rules.ts";
import type {
  ChannelKind,
  EmailChannelConfig,
  EmailChannelSecret,
  SlackChannelConfig,
  SlackChannelSecret,
} from "./schemas.ts";

export interface CheckedChannel {
  readonly faults: readonly Fault[];
  /** What was learned, for the reader of the channel: where the mailbox ends, or who the app is. */
  readonly reader: object;
}

interface Checking {
  readonly port: ChannelPort;
  readonly environment: Environment;
}

export async function checkChannel(
  checking: Checking,
  kind: ChannelKind,
  config: object,
  secret: object,
): Promise<CheckedChannel> {
  if (kind === "email") return checkEmail(checking, config as EmailChannelConfig, secret as EmailChannelSecret);
  if (kind === "slack") return checkSlack(checking, config as SlackChannelConfig, secret as SlackChannelSecret);
  return { faults: [], reader: {} };
}

async function checkEmail(
  { port, environment }: Checking,
  config: EmailChannelConfig,
  secret: EmailChannelSecret,
): Promise<CheckedChannel> {
  const { imap, smtp } = serversOf(config, secret);
  const [read, sent] = await Promise.allSettled([
    port.checkMailbox(environment, imap),
    port.checkSender(environment, smtp),
  ]);
  const smtpPassword = secret.smtp_password === undefined ? "imap_password" : "smtp_password";
  return {
    faults: [
      ...faultsOf(read, {
        server: "/config/imap/host",
        credentials: "/secret/imap_password",
        mailbox: "/config/imap/mailbox",
        message: "/config/imap/host",
      }),
      ...faultsOf(sent, {
        server: "/config/smtp/host",
        credentials: `/secret/${smtpPassword}`,
        mailbox: "/config/address",
        message: "/config/address",
      }),
    ],
    reader: read.status === "fulfilled" ? (read.value satisfies MailboxPosition) : {},
  };
}

function faultsOf(outcome: PromiseSettledResult<unknown>, pointers: Record<ChannelFault["about"], string>): Fault[] {
  if (outcome.status === "fulfilled") return [];
  if (!(outcome.reason instanceof ChannelFault)) throw outcome.reason;
  const { about, code, detail } = outcome.reason;
  return [{ pointer: pointers[about], code, detail: `did not work: ${detail}` }];
}

async function checkSlack(
  { port, environment }: Checking,
  config: SlackChannelConfig,
  { bot_token }: SlackChannelSecret,
): Promise<CheckedChannel> {
  try {
    const { body, status } = await port.post(environment, slackUrl(config, "auth.test"), bot_token, {});
    const { ok, error, user_id, team_id, bot_id } = (body ?? {}) as Record<string, unknown>;
    if (ok === true) return { faults: [], reader: { user_id, team_id, bot_id } };
    const said = typeof error === "string" && /^[a-z_]{1,60}$/.test(error) ? error : `status ${status}`;
    const detail = `was not accepted by auth.test: ${said}`;
    return { faults: [{ pointer: "/secret/bot_token", code: "unauthorized", detail }], reader: {} };
  } catch (error) {
    if (!(error instanceof ChannelFault)) throw error;
    return {
      faults: [{ pointer: "/config/api_url", code: error.code, detail: `did not work: ${error.detail}` }],
      reader: {},
    };
  }
}
