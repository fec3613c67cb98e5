import { type BodyFault, compileSchema, type Validator } from "@aos/json-schema";
import type { TSchema } from "typebox";
import type { CallContext } from "../../kernel/context.ts";
import type { Fault } from "../../kernel/errors.ts";
import type { Environment } from "../../kernel/principal.ts";
import { findKnownAgent } from "../agents/public.ts";
import type { ChannelPort, Mailbox, MailServer } from "./channel-ports.ts";
import {
  type Channel,
  configSchemas,
  type EmailChannelConfig,
  type EmailChannelSecret,
  type SetChannelBody,
  type SlackChannelConfig,
  secretSchemas,
} from "./channel-schemas.ts";
import type { ChannelRow, ChannelWithDeliveries } from "./channel-store.ts";
import { mayAlso } from "./conversation-permission.ts";

const compiled = new Map<TSchema, Validator>();

function check(schema: TSchema, value: unknown, pointer: string): Fault[] {
  const validate = compiled.get(schema) ?? compileSchema(schema);
  compiled.set(schema, validate);
  return validate(value).map((fault: BodyFault) => ({ ...fault, pointer: `${pointer}${fault.pointer}` }));
}

const fault = (pointer: string, code: string, detail: string): Fault => ({ pointer, code, detail });

/** What a channel's settings break of the rules that depend on its kind; nothing is called yet. */
export function channelFaults(
  ctx: CallContext,
  port: Pick<ChannelPort, "checkUrl">,
  body: SetChannelBody,
  present: ChannelRow | null,
): Fault[] {
  const { kind, config, secret } = body;
  if (!(kind in configSchemas)) return []; // the schema says so
  // Turns of a channel have no key: they have the role of who connected it.
  if (kind !== "web" && !mayAlso(ctx.principal, "chat:write"))
    return [fault("/agent", "exceeds_caller", "takes chat:write, which the scopes of your key leave out")];
  const agent = findKnownAgent(ctx, body.agent);
  const unknown = fault("/agent", "unknown_agent", `names no agent; there is no ${body.agent}`);
  const faults = [
    ...(agent && !agent.archived ? [] : [unknown]),
    ...check(configSchemas[kind], config, "/config"),
    ...secretFaults(body),
  ];
  if (faults.length > 0) return faults;
  if (kind !== "web" && secret === undefined && !keepsSecret(body, present)) {
    const moved = present?.kind === kind && present.secret !== null;
    const detail = moved
      ? "must be given again, because `config` leads to another place; it is sent only to the place that it was given for"
      : "is needed: the channel signs in with it";
    return [fault("/secret", "required", detail)];
  }
  return kind === "slack" ? urlFaults(port, ctx.scope.environment, config as SlackChannelConfig) : [];
}

function secretFaults({ kind, secret }: SetChannelBody): Fault[] {
  if (secret === undefined) return [];
  if (kind !== "web") return check(secretSchemas[kind], secret, "/secret");
  return [fault("/secret", "not_for_kind", "is not for channels of kind web; leave it out")];
}

function urlFaults(port: Pick<ChannelPort, "checkUrl">, environment: Environment, config: SlackChannelConfig): Fault[] {
  const refused = port.checkUrl(environment, slackUrl(config, "auth.test"));
  return refused ? [{ pointer: "/config/api_url", ...refused }] : [];
}

/** Whether a channel goes on with the secret that it has. */
export const keepsSecret = ({ kind, config }: SetChannelBody, present: ChannelRow | null): boolean =>
  present !== null &&
  present.secret !== null &&
  present.kind === kind &&
  placesOf(kind, config) === placesOf(kind, present.config);

/** Whether a mailbox is read on from where it was read before: it is the same one, whatever its password. */
export function goesOn({ kind, config }: SetChannelBody, present: ChannelRow): boolean {
  if (kind !== "email" || present.kind !== kind || Object.keys(present.reader as object).length === 0) return false;
  const [now, before] = [config, present.config].map(
    (one) => serversOf(one as EmailChannelConfig, { imap_password: "" }).imap,
  );
  return now?.host === before?.host && now?.user === before?.user && now?.mailbox === before?.mailbox;
}

/** The places that a secret is sent to, and the names that it is sent with. */
function placesOf(kind: ChannelRow["kind"], config: object): string {
  if (kind === "slack") return slackUrl(config as SlackChannelConfig, "");
  if (kind === "web") return "";
  const { imap, smtp } = serversOf(config as EmailChannelConfig, { imap_password: "" });
  return JSON.stringify([imap, smtp].map(({ host, port, security, user }) => [host, port, security, user]));
}

export const slackUrl = ({ api_url = "https://slack.com/api" }: SlackChannelConfig, method: string): string =>
  `${api_url}/${method}`;

/** The two servers of a mailbox, with what their settings leave out. */
export function serversOf(
  { address, imap, smtp }: EmailChannelConfig,
  { imap_password, smtp_password = imap_password }: EmailChannelSecret,
): { readonly imap: Mailbox; readonly smtp: MailServer } {
  const { security: reads = "tls" } = imap;
  const { security: sends = "tls" } = smtp;
  return {
    imap: {
      ...{ host: imap.host, port: imap.port ?? (reads === "tls" ? 993 : 143), security: reads },
      ...{ user: imap.user ?? address, password: imap_password, mailbox: imap.mailbox ?? "INBOX" },
    },
    smtp: {
      ...{ host: smtp.host, port: smtp.port ?? (sends === "tls" ? 465 : 587), security: sends },
      ...{ user: smtp.user ?? address, password: smtp_password },
    },
  };
}

/** A channel as callers see it; its secret is not among it. */
export function channelView(row: ChannelWithDeliveries, appUrl: string): Channel {
  return {
    ...{ name: row.name, kind: row.kind, agent: row.agent, enabled: row.enabled },
    ...{ config: row.config as Record<string, unknown>, has_secret: row.secret !== null },
    events_url: row.kind === "slack" ? `${appUrl}/v1/chat/channels/${row.name}/events` : null,
    state: stateOf(row),
    stopped_reason: row.stopped_reason,
    last_error: row.last_error,
    last_read_at: row.last_read_at?.toISOString() ?? null,
    deliveries: { waiting: row.waiting, failed: row.failed, last_error: row.delivery_error },
    ...{ answers_for: row.created_by, revision: row.revision },
    ...{ created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() },
  };
}

function stateOf({ enabled, stopped_reason, last_error, sends_fail }: ChannelWithDeliveries): Channel["state"] {
  if (!enabled) return "disabled";
  if (stopped_reason !== null) return "stopped";
  return last_error !== null || sends_fail ? "failing" : "ok";
}
