import type { FastifyRequest } from "fastify";
import type { ProviderChecks } from "../kernel/identity.ts";
import { type Environment, environments } from "../kernel/principal.ts";
import { membersOf } from "../kernel/stored-json.ts";
import { cookieOf } from "./session-cookie.ts";

/** A sign-in that went to the provider and is to come back to this browser. */
export interface Flow extends ProviderChecks {
  readonly environment: Environment;
  /** The page of the portal to go to then. */
  readonly next: string;
}

/** How long a person may take at the provider (seconds). */
const flowLasts = 600;

/**
 * The cookie that binds a sign-in at the provider to the browser that began it: who brings somebody else's code and state has not its cookie. Its content is
 * the browser's own business: state, nonce and verifier protect this browser's person, and where to go then is checked when it is read.
 */
export class FlowCookie {
  readonly #name: string;
  readonly #attributes: string;

  constructor(appUrl: string) {
    const { protocol, port } = new URL(appUrl);
    const secure = protocol === "https:";
    this.#name = secure ? "__Host-aos_oidc" : `aos_oidc_${port || "80"}`;
    this.#attributes = `; Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  }

  read(request: FastifyRequest): Flow | null {
    const text = cookieOf(request.headers.cookie, this.#name);
    if (text === null) return null;
    try {
      const { environment, next, state, nonce, verifier } = membersOf(Buffer.from(text, "base64url").toString());
      if (
        !isEnvironment(environment) ||
        ![state, nonce, verifier].every((part) => typeof part === "string" && part !== "")
      )
        return null;
      return { environment, next: ownPage(next), state, nonce, verifier } as Flow;
    } catch {
      return null; // not a cookie of ours
    }
  }

  set(flow: Flow): string {
    return `${this.#name}=${Buffer.from(JSON.stringify(flow)).toString("base64url")}; Max-Age=${flowLasts}${this.#attributes}`;
  }

  clear(): string {
    return `${this.#name}=; Max-Age=0${this.#attributes}`;
  }
}

export const isEnvironment = (value: unknown): value is Environment =>
  (environments as readonly unknown[]).includes(value);

/** A page of the portal, or its first one: `//host` and `/\host` lead elsewhere, and browsers drop control characters. */
export function ownPage(value: unknown): string {
  return typeof value === "string" && value.length <= 1_000 && /^\/(?![/\\])[\x21-\x7e]*$/.test(value) ? value : "/";
}
