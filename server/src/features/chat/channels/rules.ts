import { type BodyFault, compileSchema, type Validator } from "@aos/json-schema";
import type { TSchema } from "typebox";
import type { CallContext } from "../../../kernel/context.ts";
import type { Fault } from "../../../kernel/errors.ts";
import type { Environment } from "../../../kernel/principal.ts";
import { findKnownAgent } from "../../agents/public.ts";
import { mayAlso } from "../conversations/rules.ts";
import type { ChannelPort, Mailbox, MailServer } from "../ports.ts";
import {
  configSchemas,
  type EmailChannelConfig,
  type EmailChannelSecret,
  type SetChannelBody,
  type SlackChannelConfig,
  secretSchemas,
} from "./schemas.ts";
import type { ChannelRow } from "./view.ts";

const compiled = new Map<TSchema, Validator>();

function check(schema: TSchema, value: unknown, pointer: string): Fault[] {
  const validate = compiled.get(schema) ?? compileSchema(schema);
  compiled.set(schema, validate);
  return validate(value).map((fault: BodyFault) => ({ ...fault, pointer: `${pointer}${fault.pointer}` }));
}

const fault = (pointer: string, code: string, detail: string): Fault => ({ pointer, code, detail });

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

export const keepsSecret = ({ kind, config }: SetChannelBody, present: ChannelRow | null): boolean =>
  present !== null &&
  present.secret !== null &&
  present.kind === kind &&
  placesOf(kind, config) === placesOf(kind, present.config);

/** By mailbox, whatever its password. */
export function goesOn({ kind, config }: SetChannelBody, present: ChannelRow): boolean {
  if (kind !== "email" || present.kind !== kind || Object.keys(present.reader).length === 0) return false;
  const [now, before] = [config, present.config].map(
    (one) => serversOf(one as EmailChannelConfig, { imap_password: "" }).imap,
  );
  return now?.host === before?.host && now?.user === before?.user && now?.mailbox === before?.mailbox;
}

/** Where a secret is sent, and under which names. */
function placesOf(kind: ChannelRow["kind"], config: object): string {
  if (kind === "slack") return slackUrl(config as SlackChannelConfig, "");
  if (kind === "web") return "";
  const { imap, smtp } = serversOf(config as EmailChannelConfig, { imap_password: "" });
  return JSON.stringify([imap, smtp].map(({ host, port, security, user }) => [host, port, security, user]));
}

export const slackUrl = ({ api_url = "https://slack.com/api" }: SlackChannelConfig, method: string): string =>
  `${api_url}/${method}`;

export function serversOf(
  { address, imap, smtp }: EmailChannelConfig,
  { imap_password, smtp_password = imap_password }: EmailChannelSecret,
): { readonly imap: Mailbox; readonly smtp: MailServer } {
  const { security: reads = "tls" } = imap;
  const { security: sends = "tls" } = smtp;
  return {
    imap: {
      host: imap.host,
      port: imap.port ?? (reads === "tls" ? 993 : 143),
      security: reads,
      user: imap.user ?? address,
      password: imap_password,
      mailbox: imap.mailbox ?? "INBOX",
    },
    smtp: {
      host: smtp.host,
      port: smtp.port ?? (sends === "tls" ? 465 : 587),
      security: sends,
      user: smtp.user ?? address,
      password: smtp_password,
    },
  };
}
