import { type Static, Type } from "typebox";
import { byKind } from "../../../kernel/by-kind.ts";
import { Count, closed, nullable, stoppedMembers, Time } from "../../../kernel/schema-words.ts";
import { AgentName } from "../../agents/schemas.ts";

// Shapes of channels on the wire. A part of schemas.ts, which it does not import.

export const channelKinds = ["web", "email", "slack"] as const;
export type ChannelKind = (typeof channelKinds)[number];
const ChannelKindName = Type.Enum(channelKinds, {
  description:
    "`web`: the widget on a page. `email`: a mailbox, read by IMAP and answered by SMTP. `slack`: an app of Slack, or of what speaks like it.",
});

export const channelNamePattern = "^(?!api$)[a-z][a-z0-9-]{0,39}$";
export const ChannelName = Type.String({
  pattern: channelNamePattern,
  description:
    "Lowercase letters, digits and `-`; unique in the environment. `api` is what calls without a channel have.",
});
export const MailAddress = Type.String({
  pattern: '^[^\\s@<>"(),:;\\\\\\[\\]]{1,64}@[A-Za-z0-9][A-Za-z0-9.-]{0,252}$',
  maxLength: 254,
  description: "An e-mail address, such as `help@example.com`.",
});
const Host = Type.String({
  pattern: "^([A-Za-z0-9]([A-Za-z0-9.-]{0,252}[A-Za-z0-9])?|[0-9a-fA-F:]{2,45})$",
  description: "A name such as `imap.example.com`, or an address.",
});
const Security = Type.Enum(["tls", "starttls", "none"] as const, {
  default: "tls",
  description:
    "`tls` from the first byte; `starttls`: the connection is encrypted before anything is said, or not used; `none` only on this machine, in development.",
});
const server = (port: string) => ({
  host: Host,
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: port })),
  security: Type.Optional(Security),
});
const User = Type.String({ minLength: 1, maxLength: 254, description: "Default: `address`." });

export const WebChannelConfig = Type.Object(
  {
    origins: Type.Optional(
      Type.Array(Type.String({ pattern: "^https?://[^\\s/?#@]+$", maxLength: 253 }), {
        maxItems: 50,
        uniqueItems: true,
        description: "Pages that may hold the widget, such as `https://www.example.com`.",
      }),
    ),
    greeting: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: "Shown before anything is said." }),
    ),
  },
  closed,
);

export const EmailChannelConfig = Type.Object(
  {
    address: MailAddress,
    sender_name: Type.Optional(
      Type.String({
        pattern: "^[^\\u0000-\\u001f\\u007f]{1,100}$",
        description: "Stands beside `address` in what is sent.",
      }),
    ),
    imap: Type.Object(
      {
        ...server("Default: 993, or 143 without `tls`."),
        user: Type.Optional(User),
        mailbox: Type.Optional(Type.String({ minLength: 1, maxLength: 200, default: "INBOX" })),
      },
      { ...closed, description: "Where messages are read. They stay there as they are, unread too." },
    ),
    smtp: Type.Object(
      { ...server("Default: 465, or 587 without `tls`."), user: Type.Optional(User) },
      { ...closed, description: "Where replies are handed in." },
    ),
    poll_seconds: Type.Optional(
      Type.Integer({
        minimum: 5,
        maximum: 3600,
        default: 60,
        description: "How often the mailbox is read, besides at once when the server announces a message (IDLE).",
      }),
    ),
    trust_authentication_results: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$",
        description:
          "The name under which your own mail server says in `Authentication-Results` whether DMARC passed (RFC 8601). Senders of messages that passed are known by their address; all others " +
          "are anonymous, since anybody can write any address into a message. Your server has to remove such headers that come from outside. Default: nobody is verified.",
      }),
    ),
    unverified: Type.Optional(
      Type.Enum(["answer", "ignore"] as const, {
        default: "answer",
        description:
          "What happens to messages whose sender is not verified: answered as to an anonymous person, or not read.",
      }),
    ),
  },
  closed,
);
export type EmailChannelConfig = Static<typeof EmailChannelConfig>;

export const SlackChannelConfig = Type.Object(
  {
    api_url: Type.Optional(
      Type.String({
        pattern: "^https?://[^\\s?#]+[^\\s?#/]$",
        maxLength: 500,
        default: "https://slack.com/api",
        description: "Below it are `auth.test` and `chat.postMessage`.",
      }),
    ),
    respond_to: Type.Optional(
      Type.Enum(["mentions", "all"] as const, {
        default: "mentions",
        description:
          "In channels: messages that mention the app and all in their threads, or every message. Direct messages always.",
      }),
    ),
  },
  closed,
);
export type SlackChannelConfig = Static<typeof SlackChannelConfig>;

const Password = Type.String({ minLength: 1, maxLength: 1000 });
export const EmailChannelSecret = Type.Object(
  {
    imap_password: Password,
    smtp_password: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: "Default: that of IMAP." })),
  },
  closed,
);
export type EmailChannelSecret = Static<typeof EmailChannelSecret>;
export const SlackChannelSecret = Type.Object(
  {
    signing_secret: Type.String({ minLength: 16, maxLength: 200, description: "Signs what is sent here." }),
    bot_token: Type.String({ pattern: "^[\\x21-\\x7e]{8,400}$", description: "Signs in what is sent from here." }),
  },
  closed,
);
export type SlackChannelSecret = Static<typeof SlackChannelSecret>;

export const configSchemas = { web: WebChannelConfig, email: EmailChannelConfig, slack: SlackChannelConfig } as const;
export const secretSchemas = { email: EmailChannelSecret, slack: SlackChannelSecret } as const;

const common = {
  agent: AgentName,
  enabled: Type.Optional(
    Type.Boolean({ default: true, description: "While false, nothing is taken or sent, and nothing was tested." }),
  ),
};
export const SetWebChannel = Type.Object(
  { ...common, kind: Type.Literal("web"), config: WebChannelConfig },
  { ...closed, description: "The widget on a page." },
);
export const SetEmailChannel = Type.Object(
  { ...common, kind: Type.Literal("email"), config: EmailChannelConfig, secret: Type.Optional(EmailChannelSecret) },
  { ...closed, description: "A mailbox." },
);
export const SetSlackChannel = Type.Object(
  { ...common, kind: Type.Literal("slack"), config: SlackChannelConfig, secret: Type.Optional(SlackChannelSecret) },
  { ...closed, description: "An app of Slack." },
);
export const SetChannelBody = Type.Object(
  {
    ...common,
    kind: ChannelKindName,
    config: Type.Object(
      {},
      { additionalProperties: true, description: "Its settings; what they are depends on `kind`." },
    ),
    secret: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            "Of `email` and `slack`. Stored encrypted and never shown again. Left out, the present one stays, as long as it goes to the same place.",
        },
      ),
    ),
  },
  {
    ...closed,
    ...byKind("kind", { web: "SetWebChannel", email: "SetEmailChannel", slack: "SetSlackChannel" }, [
      SetWebChannel,
      SetEmailChannel,
      SetSlackChannel,
    ]),
  },
);
export type SetChannelBody = Static<typeof SetChannelBody>;

export const Channel = Type.Object({
  name: ChannelName,
  kind: ChannelKindName,
  agent: AgentName,
  enabled: Type.Boolean(),
  config: Type.Record(Type.String(), Type.Unknown(), { description: "Its settings, without secrets." }),
  has_secret: Type.Boolean(),
  events_url: nullable(Type.String(), "Of `slack`: the address that Slack calls with its events."),
  state: Type.Enum(["ok", "disabled", "stopped", "failing"] as const, {
    description:
      "`stopped`: who answers for it no longer may. `failing`: the last attempt to read or send failed; `last_error` says why.",
  }),
  ...stoppedMembers,
  last_error: nullable(Type.String()),
  last_read_at: nullable(Time, "When its mailbox was last looked through."),
  deliveries: Type.Object({
    waiting: Count("Replies that are to be sent, or sent again."),
    failed: Count("Replies that were given up: refused for good, or not taken within a day."),
    last_error: nullable(Type.String(), "Of the latest reply that was not taken."),
  }),
  answers_for: Type.String({
    description: "Who connected it, by id: on whose behalf the agent works for those who write.",
  }),
  revision: Type.Integer({ minimum: 1 }),
  created_at: Time,
  updated_at: Time,
});
export type Channel = Static<typeof Channel>;

export const RemovedChannel = Type.Object({ name: ChannelName, removed: Type.Literal(true) });
