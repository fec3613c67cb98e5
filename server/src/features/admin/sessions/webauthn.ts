import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { membersOf } from "../../../kernel/stored-json.ts";
import type { PasskeyResponse } from "./schemas.ts";

// Passkeys by Web Authentication Level 3. The library is large and loaded when the first passkey is used.

const library = () => import("@simplewebauthn/server");

/** The relying party: the host of the portal's address, and its origin. */
function partyOf(appUrl: string): { readonly id: string; readonly origin: string } {
  const { hostname, origin } = new URL(appUrl);
  return { id: hostname, origin };
}

export interface StoredPasskey {
  readonly credential_id: string;
  readonly public_key: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
}

export interface NewPasskeyFor {
  /** `mbr_…`: what the authenticator keeps to tell its accounts apart. */
  readonly memberId: string;
  readonly name: string;
  readonly email: string | null;
  /** Passkeys that the person has: an authenticator takes no second one. */
  readonly known: readonly string[];
}

/** What a browser needs to make a passkey. It can be found without a name (discoverable), and verifies its person by PIN or biometrics. */
export async function registrationOptions(appUrl: string, challenge: string, person: NewPasskeyFor): Promise<object> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: "Agent Operations",
    rpID: partyOf(appUrl).id,
    userName: person.email ?? person.name,
    userDisplayName: person.name,
    userID: new Uint8Array(Buffer.from(person.memberId)),
    challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
    excludeCredentials: person.known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

export async function authenticationOptions(appUrl: string, challenge: string): Promise<object> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: partyOf(appUrl).id,
    challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
    userVerification: "required",
  });
}

/** The new passkey; undefined where the response does not prove one, or answers no challenge that `accepts` knows. */
export async function verifiedRegistration(
  appUrl: string,
  response: PasskeyResponse,
  accepts: (challenge: string) => boolean,
): Promise<StoredPasskey | undefined> {
  const { verifyRegistrationResponse } = await library();
  const { id, origin } = partyOf(appUrl);
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: accepts,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    });
    if (!registrationInfo) return undefined;
    const { id: credential_id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return { credential_id, public_key: publicKey, counter, transports };
  } catch {
    return undefined; // the library throws for whatever does not verify
  }
}

/** Whether the response proves possession of the passkey, with its person verified, by a counter that has not gone back. */
export async function verifiesAssertion(
  appUrl: string,
  response: PasskeyResponse,
  passkey: StoredPasskey,
  accepts: (challenge: string) => boolean,
): Promise<boolean> {
  const { verifyAuthenticationResponse } = await library();
  const { id, origin } = partyOf(appUrl);
  const { credential_id, public_key, counter } = passkey;
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: accepts,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: { id: credential_id, publicKey: new Uint8Array(public_key), counter },
    });
    return verified;
  } catch {
    return false; // the library throws for whatever does not verify
  }
}

/** The challenge that a verified response answers, and how often its authenticator says that it was used (section 6.1: bytes 33 to 36). */
export function readResponse({ response }: PasskeyResponse): { readonly challenge: string; readonly counter: number } {
  const { challenge } = membersOf(Buffer.from(String(response.clientDataJSON), "base64url").toString());
  const { authenticatorData } = response;
  return {
    challenge: String(challenge),
    counter: typeof authenticatorData === "string" ? Buffer.from(authenticatorData, "base64url").readUInt32BE(33) : 0,
  };
}
