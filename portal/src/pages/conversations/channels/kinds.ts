import type { ChannelKind } from "../../../api/chat-types.ts";

export interface ChannelField {
  /** The place in the body: `config.imap.host`, `secret.bot_token`. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** What is required of a new channel; of secrets, only as long as there are none. */
  readonly required?: boolean;
  /** `list`: values with commas. */
  readonly type?: "number" | "password" | "list" | "email" | "url";
  readonly choices?: readonly (readonly [value: string, word: string])[];
}

const security = [
  ["tls", "TLS"],
  ["starttls", "STARTTLS"],
  ["none", "none (only on this machine)"],
] as const;

/** What each kind of channel is, and what it needs to know. */
export const kinds: Readonly<
  Record<ChannelKind, { readonly title: string; readonly about: string; readonly fields: readonly ChannelField[] }>
> = {
  web: {
    title: "Web",
    about: "A widget on your pages, by one script tag.",
    fields: [
      {
        name: "config.origins",
        label: "Pages",
        type: "list",
        placeholder: "https://www.example.com",
        hint: "Origins that may hold the widget, with commas.",
      },
      { name: "config.greeting", label: "Greeting", hint: "Shown before anything is said." },
    ],
  },
  email: {
    title: "E-mail",
    about: "A mailbox, read by IMAP and answered by SMTP.",
    fields: [
      { name: "config.address", label: "Address", type: "email", placeholder: "help@example.com", required: true },
      { name: "config.sender_name", label: "Sender's name", placeholder: "Example support" },
      { name: "config.imap.host", label: "IMAP host", placeholder: "imap.example.com", required: true },
      { name: "config.imap.port", label: "IMAP port", type: "number", placeholder: "993" },
      { name: "config.imap.security", label: "IMAP encryption", choices: security },
      { name: "config.imap.mailbox", label: "Mailbox", placeholder: "INBOX" },
      { name: "config.imap.user", label: "IMAP user", hint: "Empty: the address." },
      {
        name: "secret.imap_password",
        label: "IMAP password",
        type: "password",
        required: true,
        hint: "Stored encrypted.",
      },
      { name: "config.smtp.host", label: "SMTP host", placeholder: "smtp.example.com", required: true },
      { name: "config.smtp.port", label: "SMTP port", type: "number", placeholder: "465" },
      { name: "config.smtp.security", label: "SMTP encryption", choices: security },
      { name: "config.smtp.user", label: "SMTP user", hint: "Empty: the address." },
      { name: "secret.smtp_password", label: "SMTP password", type: "password", hint: "Empty: that of IMAP." },
      {
        ...{
          name: "config.trust_authentication_results",
          label: "Your mail server's name",
          placeholder: "mx.example.com",
        },
        hint: "Senders whose DMARC check it reports as passed are known by their address. Empty: all senders are anonymous.",
      },
      {
        name: "config.unverified",
        label: "Unverified senders",
        choices: [
          ["answer", "are answered as anonymous"],
          ["ignore", "are not read"],
        ],
      },
    ],
  },
  slack: {
    title: "Slack",
    about: "An app of Slack, or of a service that speaks like it.",
    fields: [
      {
        name: "secret.signing_secret",
        label: "Signing secret",
        type: "password",
        required: true,
        hint: "Stored encrypted.",
      },
      { name: "secret.bot_token", label: "Bot token", type: "password", required: true, placeholder: "xoxb-…" },
      {
        name: "config.respond_to",
        label: "Answers",
        choices: [
          ["mentions", "mentions and their threads"],
          ["all", "every message"],
        ],
        hint: "In channels. Direct messages are always answered.",
      },
      { name: "config.api_url", label: "API", type: "url", placeholder: "https://slack.com/api" },
    ],
  },
};

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);

/** What a field has at first: of secrets nothing, which leaves them as they are. */
export function presentOf({ name }: ChannelField, config: Readonly<Record<string, unknown>> | undefined): string {
  const value = name.startsWith("config.") ? at({ config }, name.split(".")) : undefined;
  return Array.isArray(value) ? value.join(", ") : value === undefined || value === null ? "" : String(value);
}

/** `config` and `secret` of a channel as they were filled in; what was left empty is left out. */
export function settingsOf(kind: ChannelKind, form: FormData): { config: object; secret?: object } {
  const body: { config: object; secret?: object } = { config: {} };
  for (const { name, type } of kinds[kind].fields) {
    const text = String(form.get(name) ?? "").trim();
    if (text !== "") put(body as unknown as Record<string, unknown>, name.split("."), formValue(text, type));
  }
  return body;
}

function formValue(text: string, type: ChannelField["type"]): unknown {
  if (type === "number") return Number(text);
  return type === "list" ? text.split(/[\s,]+/).filter((item) => item !== "") : text;
}

function put(into: Record<string, unknown>, [first = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    into[first] = value;
    return;
  }
  const inner = (into[first] ?? {}) as Record<string, unknown>;
  into[first] = inner;
  put(inner, rest, value);
}
