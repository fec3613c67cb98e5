import type { Fault } from "../../../kernel/errors.ts";
import { ownAddresses } from "../../../kernel/provider-addresses.ts";
import { type AddConnectionBody, type AuthScheme, type ConnectionKind, connectionKinds } from "./schemas.ts";

/** A connection with its secret, which leaves this process only in headers to `baseUrl`. */
export interface OpenConnection {
  readonly name: string;
  readonly kind: ConnectionKind;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly auth: { readonly scheme: AuthScheme; readonly header: string | null } | null;
  readonly secret: string | null;
}

export interface ConnectionHeaders {
  readonly headers: Readonly<Record<string, string>>;
  readonly origins: readonly string[];
}

export function connectionFaults(body: AddConnectionBody): Fault[] {
  if (!connectionKinds.includes(body.kind)) return [];
  return [...secretFaults(body), ...addressFaults(body), ...authFaults(body)];
}

function fault(pointer: string, code: string, detail: string): Fault {
  return { pointer, code, detail };
}

function secretFaults({ kind, secret, auth }: AddConnectionBody): Fault[] {
  if (secret === undefined && kind !== "openai-compatible") {
    return [fault("/secret", "required", `A connection of kind ${kind} has a secret: give its key or token.`)];
  }
  if (auth?.scheme === "basic" && secret !== undefined && !secret.includes(":")) {
    return [
      fault("/secret", "not_basic", "With scheme basic the secret is `<user>:<password>`; this one has no colon."),
    ];
  }
  return [];
}

function addressFaults({ kind, base_url }: AddConnectionBody): Fault[] {
  if (base_url === undefined) {
    if (baseUrlOf(kind, null) !== null) return [];
    return [
      fault(
        "/base_url",
        "required",
        `A connection of kind ${kind} has no address by itself: say where it leads, such as https://api.example.com.`,
      ),
    ];
  }
  const url = URL.parse(base_url);
  if (url === null || !["https:", "http:"].includes(url.protocol)) {
    return [fault("/base_url", "not_an_address", "must be an absolute address, such as https://api.example.com/v1.")];
  }
  if (url.username !== "" || url.password !== "") {
    return [
      fault("/base_url", "credentials_in_address", "must hold no user and password; credentials belong into `secret`."),
    ];
  }
  if (base_url.includes("?") || base_url.includes("#")) {
    return [
      fault(
        "/base_url",
        "not_an_address",
        "must have no query and no fragment; it is what the addresses of calls begin with.",
      ),
    ];
  }
  return [];
}

/** Headers of the connection or its framing (RFC 9110, 7.6.1; RFC 9112): a secret in one of them would break requests. */
const framing: ReadonlySet<string> = new Set(
  "connection content-encoding content-length content-type expect host keep-alive proxy-authorization te trailer transfer-encoding upgrade".split(
    " ",
  ),
);

function authFaults({ kind, auth }: AddConnectionBody): Fault[] {
  if (auth === undefined) return [];
  if (kind !== "http")
    return [
      fault("/auth", "not_for_kind", `is for connections of kind http; ${kind} has a way of its own. Leave it out.`),
    ];
  if (auth.scheme === "header" && auth.header === undefined)
    return [fault("/auth/header", "required", "Scheme header needs the header's name.")];
  if (auth.scheme !== "header" && auth.header !== undefined) {
    return [
      fault(
        "/auth/header",
        "not_for_scheme",
        `Scheme ${auth.scheme} uses Authorization: leave header out, or use scheme header.`,
      ),
    ];
  }
  if (auth.header !== undefined && framing.has(auth.header.toLowerCase())) {
    return [
      fault(
        "/auth/header",
        "reserved",
        `${auth.header} belongs to HTTP itself and cannot carry a secret; name another header.`,
      ),
    ];
  }
  return [];
}

/** The address of a connection without a trailing slash; null if its kind has no default. */
export function baseUrlOf(kind: ConnectionKind, given: string | null): string | null {
  const address = given ?? (kind === "http" ? undefined : ownAddresses[kind]);
  return address?.replace(/\/+$/, "") ?? null;
}

export function lastFourOf(secret: string | undefined): string | null {
  return secret !== undefined && secret.length >= 16 ? secret.slice(-4) : null;
}

export function headersOf({ kind, auth, secret, baseUrl }: OpenConnection): ConnectionHeaders {
  const origins = [new URL(baseUrl).origin];
  if (secret === null) return { headers: {}, origins };
  if (kind === "anthropic") return { headers: { "x-api-key": secret, "anthropic-version": "2023-06-01" }, origins };
  if (auth?.scheme === "header") return { headers: { [(auth.header ?? "").toLowerCase()]: secret }, origins };
  if (auth?.scheme === "basic")
    return { headers: { authorization: `Basic ${Buffer.from(secret).toString("base64")}` }, origins };
  return { headers: { authorization: `Bearer ${secret}` }, origins };
}

/** The parts of a model in an agent's definition that concern credentials. */
export interface ConnectedModel {
  readonly provider: Exclude<ConnectionKind, "http">;
  readonly connection?: string;
  readonly settings?: { readonly base_url?: string };
}

/** The secret and address for a model, or why it cannot be called: `code` and `detail` of the task's failure. */
export type ModelAccess =
  | { readonly ok: true; readonly secret: string | null; readonly baseUrl: string | null }
  | { readonly ok: false; readonly failure: { readonly code: string; readonly detail: string } };

/**
 * Joins a model with the connection that it names. The secret is sent only to the host of the connection: builders of agents may set addresses, but may not
 * read secrets.
 */
export function modelAccess(model: ConnectedModel, connection: OpenConnection | undefined): ModelAccess {
  const { provider, settings } = model;
  const wanted = baseUrlOf(provider, settings?.base_url ?? null);
  const refuse = (code: string, detail: string): ModelAccess => ({ ok: false, failure: { code, detail } });
  if (model.connection === undefined) return { ok: true, secret: null, baseUrl: wanted };
  if (connection === undefined) {
    const detail = `The agent's model names the connection ${model.connection}, which does not exist in this environment: add it with POST /v1/admin/connections.`;
    return refuse("provider_not_configured", detail);
  }
  if (connection.kind !== provider) {
    const detail = `The connection ${connection.name} is of kind ${connection.kind}, and the agent's model is of provider ${provider}: name one of that kind.`;
    return refuse("provider_not_configured", detail);
  }
  if (settings?.base_url === undefined) return { ok: true, secret: connection.secret, baseUrl: connection.baseUrl };
  if (originOf(settings.base_url) !== originOf(connection.baseUrl)) {
    const detail = `The connection ${connection.name} is for ${originOf(connection.baseUrl)}, and the agent's model leads to another host: its secret is not sent there.`;
    return refuse("provider_address_refused", detail);
  }
  return { ok: true, secret: connection.secret, baseUrl: wanted };
}

const originOf = (address: string): string | null => URL.parse(address)?.origin ?? null;
