import type { FastifyRequest } from "fastify";
import { isSecret, sessionTimes } from "../kernel/sessions.ts";
import type { SessionCredential } from "../pipeline/call.ts";

const reading = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The cookie of the portal's sessions (RFC 6265bis): no script reads it, and pages of other sites do not get it sent. Where the portal is served over TLS it
 * is bound to exactly this host (`__Host-`). Cookies know no ports, so that elsewhere its name carries the port: services side by side keep theirs apart.
 */
export class SessionCookie {
  readonly #name: string;
  readonly #attributes: string;
  readonly #origin: string;

  constructor(appUrl: string) {
    const { protocol, port, origin } = new URL(appUrl);
    const secure = protocol === "https:";
    this.#name = secure ? "__Host-aos_session" : `aos_session_${port || "80"}`;
    this.#attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
    this.#origin = origin;
  }

  /** The session that a request carries, with what its browser says of where it comes from; null without one. */
  read(request: FastifyRequest): SessionCredential | null {
    const secret = cookieOf(request.headers.cookie, this.#name);
    if (secret === null || !isSecret(secret)) return null;
    const csrf = request.headers["x-csrf-token"];
    return {
      kind: "session",
      secret,
      csrf: typeof csrf === "string" ? csrf : null,
      changes: !reading.has(request.method),
      fromElsewhere: this.fromElsewhere(request),
    };
  }

  /**
   * Whether a page of another origin made the request. Browsers say so themselves (Fetch Metadata), on plain HTTP at least by `Origin` with each change;
   * programs say nothing, and have no cookie that anybody could abuse.
   */
  fromElsewhere({ headers, host }: FastifyRequest): boolean {
    const site = headers["sec-fetch-site"];
    if (site !== undefined && site !== "same-origin" && site !== "none") return true;
    const { origin } = headers;
    if (origin === undefined || origin === this.#origin) return false;
    return !URL.canParse(origin) || new URL(origin).host !== host;
  }

  /** The header that gives a browser the session. */
  set(secret: string): string {
    return `${this.#name}=${secret}; Max-Age=${sessionTimes.most / 1000}${this.#attributes}`;
  }

  /** The header that takes it away. */
  clear(): string {
    return `${this.#name}=; Max-Age=0${this.#attributes}`;
  }
}

/** The value of a cookie among those of a request; null without it. */
export function cookieOf(header: string | undefined, name: string): string | null {
  for (const pair of header?.split(";") ?? []) {
    const cut = pair.indexOf("=");
    if (cut > 0 && pair.slice(0, cut).trim() === name) return pair.slice(cut + 1).trim();
  }
  return null;
}
