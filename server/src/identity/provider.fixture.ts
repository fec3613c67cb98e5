import { generateKeyPairSync } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type JWKS, Provider } from "oidc-provider";

export const clientId = "agent-operations";
export const clientSecret = "a-secret-of-the-tests";

export interface TestProvider {
  readonly issuer: string;
  /** The claims of the accounts, by subject; `current` signs in when the browser comes. */
  readonly accounts: Map<string, Record<string, unknown>>;
  current: string;
  /** Answers requests from now on in the place of the provider; null: the provider does again. */
  instead: RequestListener | null;
  close(): Promise<void>;
}

/** A real OpenID Connect provider on loopback. Whoever comes is signed in as the current account, without a page between. */
export async function startProvider(redirectUri: string): Promise<TestProvider> {
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => (test.instead ?? answer)(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts: TestProvider["accounts"] = new Map();
  const test: TestProvider = {
    issuer,
    accounts,
    current: "",
    instead: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ["the cookies of a test"] },
    jwks: { keys: [signingKey()] } as JWKS,
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...accounts.get(sub) }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session?.accountId as string });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith("/interaction/")) return next();
    await provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: test.current, remember: false } });
    ctx.respond = false;
  });
  answer = provider.callback();
  return test;
}

const signingKey = (): object => ({
  ...generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" }),
  use: "sig",
  alg: "RS256",
  kid: "test",
});

/** A browser without pages: keeps cookies by host, and follows redirects by itself. */
export class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Requests an address and follows where it leads, up to `until` (a part of the next address); answers the last response with the address that it led to. */
  async go(address: string, until?: string): Promise<{ response: Response; location: string | null; address: string }> {
    let next = address;
    for (let hops = 0; hops < 12; hops++) {
      const { host } = new URL(next);
      const jar = this.#cookies.get(host) ?? new Map<string, string>();
      this.#cookies.set(host, jar);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
      const response = await fetch(next, { redirect: "manual", headers: { cookie, accept: "text/html" } });
      for (const set of response.headers.getSetCookie()) this.#keep(jar, set);
      const location = response.headers.get("location");
      const target = location === null ? null : new URL(location, next).href;
      if (target === null || (until !== undefined && target.includes(until)))
        return { response, location, address: target ?? next };
      next = target;
    }
    throw new Error(`too many redirects from ${address}`);
  }

  cookies(address: string): string {
    return [...(this.#cookies.get(new URL(address).host) ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  #keep(jar: Map<string, string>, set: string): void {
    const [pair = ""] = set.split(";");
    const cut = pair.indexOf("=");
    if (/max-age=0|expires=thu, 01 jan 1970/i.test(set)) jar.delete(pair.slice(0, cut));
    else jar.set(pair.slice(0, cut), pair.slice(cut + 1));
  }
}
