import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import type { Read } from "./queries.ts";
import { auth, hold, type Session } from "./session.ts";

type Environment = Session["environment"];

/** How people can sign in here. */
export interface SignInMethods {
  /** The OpenID Connect provider's name; null: there is none. */
  readonly provider: string | null;
  readonly passkeys: boolean;
}

export const signInMethods: Read<SignInMethods> = {
  queryKey: ["sign-in methods"],
  queryFn: async () => (await auth<SignInMethods>("GET", "/auth/methods")) ?? { provider: null, passkeys: false },
  staleTime: Number.POSITIVE_INFINITY,
};

export interface Passkey {
  readonly passkey_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

export const ownPasskeys: Read<readonly Passkey[]> = {
  queryKey: ["own passkeys"],
  queryFn: async () => (await auth<{ data: readonly Passkey[] }>("GET", "/auth/passkeys"))?.data ?? [],
};

/** The person said no, or the device took too long: nothing went wrong that is worth an alarm. */
export const wasCancelled = (error: unknown): boolean => error instanceof Error && ["NotAllowedError", "AbortError"].includes(error.name);

const created = (optionsJSON: PublicKeyCredentialCreationOptionsJSON | null): Promise<RegistrationResponseJSON> => {
  if (optionsJSON === null) throw new Error("the service sent no options for a passkey");
  return startRegistration({ optionsJSON });
};

/** Signs in with a passkey, of whichever person the device has one. */
export async function signInWithPasskey(environment: Environment): Promise<Session | null> {
  const optionsJSON = await auth<PublicKeyCredentialRequestOptionsJSON>("GET", "/auth/passkey/options");
  if (optionsJSON === null) throw new Error("the service sent no options for a passkey");
  const response: AuthenticationResponseJSON = await startAuthentication({ optionsJSON });
  return hold(await auth("POST", "/auth/passkey", { environment, response }));
}

export interface Invitation {
  readonly name: string;
  readonly email: string | null;
  readonly environment: Environment;
  readonly options: PublicKeyCredentialCreationOptionsJSON;
}

export const openInvitation = (token: string): Promise<Invitation | null> =>
  auth<Invitation>("POST", "/auth/invitation/options", { token });

/** Makes the invited person's passkey and signs in by it. The options are asked for anew: the first may have grown old on the screen. */
export async function acceptInvitation(token: string, name: string): Promise<Session | null> {
  const response = await created((await openInvitation(token))?.options ?? null);
  return hold(await auth("POST", "/auth/invitation", { token, name, response }));
}

export async function addPasskey(name: string): Promise<void> {
  const response = await created(await auth<PublicKeyCredentialCreationOptionsJSON>("POST", "/auth/passkeys/options", {}));
  await auth("POST", "/auth/passkeys", { name, response });
}

export async function removePasskey(passkey: string): Promise<void> {
  await auth("DELETE", `/auth/passkeys/${encodeURIComponent(passkey)}`, {});
}
