import { isIP } from "node:net";
import type { Environment } from "../kernel/principal.ts";
import {
  type Address,
  type AddressRange,
  isInRange,
  isLoopback,
  isPrivate,
  isPublic,
  parseAddress,
  parseRange,
} from "./addresses.ts";
import { OutboundError } from "./errors.ts";

/** What may be reached; decides about addresses, makes no connection. */
export interface Guard {
  readonly environment: Environment;
  /** Checks all that an address says by itself and reads it in the one way in which it is then called. Throws OutboundError, nothing sent. */
  checkUrl(text: string): URL;
  /**
   * Checks where a connection would lead: all addresses that a name has, or the one that stands in its place. One that is refused refuses all, since a name
   * with a public and a private address is how a check is got round. Throws OutboundError, nothing sent.
   */
  checkAddresses(target: Target, addresses: readonly string[]): void;
}

/** What a connection is made to. */
export interface Target {
  readonly protocol: string;
  /** Without brackets. */
  readonly hostname: string;
  readonly port: string;
}

const refuse = (code: "address_invalid" | "https_required" | "address_refused", message: string): never => {
  throw new OutboundError(code, message, { sent: false });
};

/** The host as it stands in a connection: without the brackets of IPv6 and the dot at the end of a whole name. */
export const plainHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");

/** Whether a host is an address itself and no name. */
export const isLiteral = (host: string): boolean => isIP(host) !== 0;

/** The port that counts: an address leaves out the one of its scheme. */
const portOf = ({ protocol, port }: { readonly protocol: string; readonly port: string }): string =>
  port !== "" ? port : protocol === "https:" ? "443" : "80";

/**
 * Builds the guard of an environment. `servesProduction` is asked at each check: `development` reaches this machine's own addresses only
 * where the same installation serves no production. Throws a TypeError for an entry of `allow` that is none.
 */
export function createGuard(
  environment: Environment,
  allow: readonly string[],
  servesProduction: () => boolean = () => false,
): Guard {
  const opened = allow.map(readAllowance);
  const ranges = opened.filter((entry) => "family" in entry);
  const origins = opened.filter((entry) => "hostname" in entry);
  const opensLoopback = (): boolean => environment === "development" && !servesProduction();

  const opensOrigin = (target: Target): boolean =>
    origins.some(
      (one) =>
        one.protocol === target.protocol &&
        one.hostname === target.hostname.toLowerCase() &&
        portOf(one) === portOf(target),
    );

  const mayReach = (target: Target, address: Address, byOrigin: boolean): boolean => {
    if (byOrigin) return isPublic(address) || isPrivate(address) || ranges.some((range) => isInRange(address, range));
    if (isLoopback(address) && opensLoopback()) return true;
    return target.protocol === "https:" && (isPublic(address) || ranges.some((range) => isInRange(address, range)));
  };

  return {
    environment,
    checkUrl(text) {
      const url = readUrl(text);
      const byOrigin = opensOrigin({ protocol: url.protocol, hostname: plainHost(url.hostname), port: url.port });
      if (url.protocol === "http:" && !byOrigin && !opensLoopback()) httpRefused(url.hostname, environment, false);
      return url;
    },
    checkAddresses(target, addresses) {
      const byOrigin = opensOrigin(target);
      const parsed = addresses.map(parseAddress);
      if (parsed.length > 0 && parsed.every((address) => address !== null && mayReach(target, address, byOrigin)))
        return;
      const wouldPass = parsed.every(
        (address) => address !== null && mayReach({ ...target, protocol: "https:" }, address, false),
      );
      if (target.protocol === "http:" && parsed.length > 0 && wouldPass)
        httpRefused(target.hostname, environment, opensLoopback());
      const remedy = opensLoopback()
        ? "only public addresses and this machine's own can be called; the operator can open others with AOS_OUTBOUND_ALLOW"
        : environment === "development"
          ? SERVES_PRODUCTION
          : "only public addresses can be called; the operator can open others with AOS_OUTBOUND_ALLOW";
      refuse("address_refused", `\`${target.hostname}\` leads to an address that is not public; ${remedy}`);
    },
  };
}

const SERVES_PRODUCTION =
  "an agent is live in production on this installation, so development calls this machine's own addresses no longer either; " +
  "the operator can open one with AOS_OUTBOUND_ALLOW, or develop on an installation of its own";

function httpRefused(hostname: string, environment: Environment, opensLoopback: boolean): never {
  const closed = environment === "development" ? `; ${SERVES_PRODUCTION}` : "";
  const exception = opensLoopback ? "; http is for this machine's own addresses only" : closed;
  return refuse("https_required", `\`${hostname}\` must be called by https${exception}`);
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null)
    return refuse(
      "address_invalid",
      "the address cannot be read; it must be absolute, such as https://example.com/path",
    );
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return refuse("address_invalid", `the address begins with \`${url.protocol}\`; it must begin with https://`);
  }
  if (url.username !== "" || url.password !== "")
    return refuse(
      "address_invalid",
      "the address carries a user or password; take them out, credentials come from a connection",
    );
  return url;
}

interface OpenOrigin extends Target {}

/** One entry of what an operator opens. */
function readAllowance(text: string): AddressRange | OpenOrigin {
  const range = parseRange(text);
  if (range !== null) return range;
  const url = URL.parse(text);
  const isOrigin = url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.host !== "";
  if (!isOrigin || url.href !== `${url.origin}/` || url.username !== "") {
    throw new TypeError(
      `\`${text}\` opens nothing: give a range such as 10.20.0.0/16, an address, or an origin such as http://models.internal:8000`,
    );
  }
  return { protocol: url.protocol, hostname: plainHost(url.hostname), port: url.port };
}
