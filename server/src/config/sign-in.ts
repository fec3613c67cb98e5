import type { RoleMapping } from "../kernel/identity.ts";
import { environments, type Role, roles } from "../kernel/principal.ts";
import type { Config, SignInConfig } from "./settings.ts";
import { ConfigError, type Variable, variable } from "./variable.ts";

// The settings of how people sign in: an OpenID Connect provider, and the mail server for invitations.

const none = { standard: "", absent: () => undefined } as const;

export const signInVariables: readonly Variable<keyof Config>[] = [
  variable({
    name: "AOS_OIDC_ISSUER",
    key: "oidcIssuer",
    ...none,
    secret: false,
    meaning: "OpenID Connect provider that signs people in",
    allowed: "the provider's issuer: an https URL without query and fragment (http only on a loopback address)",
    parse: issuer,
  }),
  variable({
    name: "AOS_OIDC_CLIENT_ID",
    key: "oidcClientId",
    ...none,
    secret: false,
    meaning: "Client id of this service at the provider; its redirect address is <AOS_APP_URL>/auth/oidc/callback",
    allowed: "1 to 255 visible characters",
    parse: visible,
  }),
  variable({
    name: "AOS_OIDC_CLIENT_SECRET",
    key: "oidcClientSecret",
    ...none,
    secret: true,
    meaning: "Client secret of this service at the provider",
    allowed: "1 to 255 visible characters",
    parse: visible,
  }),
  variable({
    name: "AOS_OIDC_NAME",
    key: "oidcName",
    ...none,
    secret: false,
    meaning: "The provider's name on the sign-in page; without it the issuer's host",
    allowed: "1 to 40 characters",
    parse: (text) => (text.length <= 40 ? text : undefined),
  }),
  variable({
    name: "AOS_OIDC_SCOPES",
    key: "oidcScopes",
    standard: "openid email profile",
    secret: false,
    meaning: "Scopes to ask the provider for",
    allowed: "scopes separated by spaces, openid among them",
    parse: (text) =>
      /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text) && text.split(" ").includes("openid") ? text : undefined,
  }),
  variable({
    name: "AOS_OIDC_ROLES",
    key: "oidcRoles",
    ...none,
    secret: false,
    meaning: "Roles by the values of a claim, for each environment; without it roles are given to members by hand",
    allowed: `JSON such as {"claim":"groups","production":{"agents-admins":"admin"}} with environments (${environments.join(", ")}) and roles (${roles.join(", ")})`,
    parse: roleMapping,
  }),
  variable({
    name: "AOS_SMTP_URL",
    key: "smtpUrl",
    ...none,
    secret: true,
    meaning: "Mail server that sends invitations",
    allowed: "a URL such as smtps://user:password@mail.example.com or smtp://localhost:25",
    parse: (text) =>
      URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== ""
        ? text
        : undefined,
  }),
  variable({
    name: "AOS_MAIL_FROM",
    key: "mailFrom",
    ...none,
    secret: false,
    meaning: "Sender of invitations",
    allowed: 'an e-mail address, or a name with one such as "Agent Operations <agents@example.com>"',
    parse: (text) => (/^(?:[^<>@\p{Cc}]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(text) ? text : undefined),
  }),
];

/** Throws {@link ConfigError} where settings are given that need others. */
export function checkSignIn(config: Config): void {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcRoles, smtpUrl, mailFrom, appUrl } = config;
  const together = "set AOS_OIDC_ISSUER, AOS_OIDC_CLIENT_ID and AOS_OIDC_CLIENT_SECRET together, or none of them.";
  const parts = {
    AOS_OIDC_ISSUER: oidcIssuer,
    AOS_OIDC_CLIENT_ID: oidcClientId,
    AOS_OIDC_CLIENT_SECRET: oidcClientSecret,
  };
  const missing = Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length === 1 || missing.length === 2)
    throw new ConfigError(`${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} missing; ${together}`);
  if (oidcRoles && missing.length > 0) throw new ConfigError(`AOS_OIDC_ROLES needs a provider; ${together}`);
  if ((smtpUrl === undefined) !== (mailFrom === undefined)) {
    throw new ConfigError(
      `${smtpUrl === undefined ? "AOS_SMTP_URL" : "AOS_MAIL_FROM"} is missing; set AOS_SMTP_URL and AOS_MAIL_FROM together, or neither.`,
    );
  }
  if (smtpUrl !== undefined && !allowsPasskeys(appUrl)) {
    throw new ConfigError(
      `AOS_APP_URL is ${JSON.stringify(appUrl)}; with AOS_SMTP_URL it must be https with a host name, or http://localhost:<port>: invitations lead to a passkey, and browsers bind passkeys to names, not to IP addresses.`,
    );
  }
}

/** Whether people can sign in here in person: by OpenID Connect, or by a passkey that an invitation led to. */
export function allowsPersonalSignIn({ oidcIssuer, smtpUrl }: Pick<SignInConfig, "oidcIssuer" | "smtpUrl">): boolean {
  return oidcIssuer !== undefined || smtpUrl !== undefined;
}

/** Browsers create passkeys in secure contexts, for a domain (Web Authentication, section 5.1.3). */
export function allowsPasskeys(appUrl: string): boolean {
  const { protocol, hostname } = new URL(appUrl);
  if (hostname === "localhost" || hostname.endsWith(".localhost")) return true;
  return protocol === "https:" && !hostname.startsWith("[") && !/^[\d.]+$/.test(hostname);
}

function issuer(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") return undefined;
  const loopback = url.hostname === "localhost" || url.hostname === "[::1]" || /^127\./.test(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && loopback) ? text : undefined;
}

function visible(text: string): string | undefined {
  return /^[\x21-\x7e]{1,255}$/.test(text) ? text : undefined;
}

function roleMapping(text: string): RoleMapping | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined; // what is allowed is said where the setting is refused
  }
  if (!isRecord(read)) return undefined;
  const { claim, ...byEnvironment } = read;
  if (typeof claim !== "string" || claim === "") return undefined;
  const fits = Object.entries(byEnvironment).every(
    ([environment, values]) =>
      (environments as readonly string[]).includes(environment) &&
      isRecord(values) &&
      Object.values(values).every((role) => roles.includes(role as Role)),
  );
  return fits && Object.keys(byEnvironment).length > 0
    ? { claim, environments: byEnvironment as RoleMapping["environments"] }
    : undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
