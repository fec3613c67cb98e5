import { firstOf } from "@aos/text";
import * as client from "openid-client";
import type { Clock } from "../kernel/clock.ts";
import { type Refusal, refuse } from "../kernel/errors.ts";
import type { IdentityProvider, ProviderAccount, ProviderChecks, RoleMapping } from "../kernel/identity.ts";
import type { Environment, Role } from "../kernel/principal.ts";
import { identityProviderFailed, unauthenticated } from "../kernel/problems.ts";

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** As people know the provider. */
  readonly name: string;
  readonly scopes: string;
  readonly roles: RoleMapping | undefined;
}

type Claims = Readonly<Record<string, unknown>>;

/** How long the provider may take for one answer (seconds). */
const patience = 10;
/** How long what the provider says of itself is used before it is read again (milliseconds). */
const discoveryLasts = 3_600_000;

/** Signs people in by the authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0, RFC 9700). `report` hears what went wrong. */
export function createOidc(settings: OidcSettings, clock: Clock, report: (error: unknown) => void): IdentityProvider {
  const discover = rememberDiscovery(settings, clock);
  const reach = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw refusalOf(error, settings.name, report);
    }
  };
  return {
    name: settings.name,
    begin: (redirectUri) =>
      reach(async () => {
        const checks = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
        };
        const url = client.buildAuthorizationUrl(await discover(), {
          redirect_uri: redirectUri,
          scope: settings.scopes,
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: "S256",
        });
        return { url: url.href, checks };
      }),
    complete: (callbackUrl, checks) =>
      reach(async () => accountOf(await claimsOf(await discover(), callbackUrl, checks), settings.roles)),
  };
}

function rememberDiscovery(
  { issuer, clientId, clientSecret }: OidcSettings,
  clock: Clock,
): () => Promise<client.Configuration> {
  let known: { readonly from: number; readonly configuration: Promise<client.Configuration> } | undefined;
  const authentication = client.ClientSecretBasic(clientSecret);
  const execute = issuer.startsWith("http:") ? [client.allowInsecureRequests] : []; // the configuration allows plain HTTP on loopback only
  return () => {
    if (!known || clock.now() - known.from > discoveryLasts) {
      const configuration = client.discovery(new URL(issuer), clientId, undefined, authentication, {
        execute,
        timeout: patience,
      });
      const asked = { from: clock.now(), configuration };
      known = asked;
      configuration.catch(() => {
        if (known === asked) known = undefined; // ask again the next time
      });
    }
    return known.configuration;
  };
}

/** The claims of the ID token, and what the provider says of the person beyond it (many give e-mail and groups at the UserInfo endpoint only). */
async function claimsOf(
  configuration: client.Configuration,
  callbackUrl: URL,
  checks: ProviderChecks,
): Promise<Claims> {
  const tokens = await client.authorizationCodeGrant(configuration, callbackUrl, {
    pkceCodeVerifier: checks.verifier,
    expectedState: checks.state,
    expectedNonce: checks.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims() as client.IDToken;
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...(await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims };
}

function accountOf(claims: Claims, mapping: RoleMapping | undefined): ProviderAccount {
  const { iss, sub, email, email_verified, name } = claims;
  return {
    issuer: String(iss),
    subject: String(sub),
    email: email_verified === true && typeof email === "string" ? email : null,
    name: typeof name === "string" && name.trim() !== "" ? firstOf(name.trim(), 100) : null,
    roles: mapping ? rolesOf(claims[mapping.claim], mapping) : {},
  };
}

/** The roles that a claim, a text or a list of texts, gives. */
export function rolesOf(claim: unknown, { environments }: RoleMapping): Partial<Record<Environment, Role | null>> {
  const held = new Set(Array.isArray(claim) ? claim : [claim]);
  const roleIn = (values: Readonly<Record<string, Role>>): Role | null =>
    Object.entries(values).find(([value]) => held.has(value))?.[1] ?? null;
  return Object.fromEntries(Object.entries(environments).map(([environment, values]) => [environment, roleIn(values)]));
}

/** What the provider refused by its own word is reported as that; everything else is the provider's failure. */
function refusalOf(error: unknown, name: string, report: (error: unknown) => void): Refusal {
  if (error instanceof client.AuthorizationResponseError) {
    return refuse(unauthenticated, `${name} did not sign you in: it answered ${plainCode(error.error)}.`);
  }
  report(error);
  if (error instanceof client.ResponseBodyError && error.error === "invalid_grant") {
    return refuse(
      unauthenticated,
      `${name} does not accept the code that the browser brought: it was used before, or is too old. Begin again.`,
    );
  }
  return refuse(
    identityProviderFailed,
    `${name} cannot be reached, or gave an answer that does not prove who you are. The service's log says which.`,
  );
}

/** Error codes of OAuth 2.0 are short words; anything else is not repeated to a person. */
const plainCode = (code: string): string => (/^[a-z_]{1,40}$/.test(code) ? code : "an error");
