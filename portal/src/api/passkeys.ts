import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import { useQueryClient } from "@tanstack/react-query";
import { Problem } from "./problem.ts";
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

/** What the device says no with, by the names that Web Authentication gives its errors. */
const refusals: Readonly<Record<string, string>> = {
  NotAllowedError: "No passkey was used: it was cancelled, or took too long. Try again.",
  AbortError: "No passkey was used: it was cancelled, or took too long. Try again.",
  InvalidStateError: "This device has a passkey of yours already.",
  SecurityError: "Passkeys do not work at this address. Open the portal at its public address.",
};

/** Has the device do something with a passkey. */
async function byDevice<Options, T>(
  optionsJSON: Options | null,
  work: (options: { optionsJSON: Options }) => Promise<T>,
): Promise<T> {
  if (optionsJSON === null) throw new Error("the service sent no options for a passkey");
  try {
    return await work({ optionsJSON });
  } catch (error) {
    const detail = refusals[(error as Error).name] ?? "This device cannot use a passkey here.";
    throw new Problem({ status: 400, code: "no_passkey", title: "No passkey was used", detail });
  }
}

/** Signs in with a passkey, of whichever person the device has one. */
export async function signInWithPasskey(environment: Environment): Promise<Session | null> {
  const optionsJSON = await auth<PublicKeyCredentialRequestOptionsJSON>("GET", "/auth/passkey/options");
  const response = await byDevice(optionsJSON, startAuthentication);
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

/** Makes the invited person's passkey and signs in by it. The options are asked for again: the first may have grown old on the screen. */
export async function acceptInvitation(token: string, name: string): Promise<Session | null> {
  const response = await byDevice((await openInvitation(token))?.options ?? null, startRegistration);
  return hold(await auth("POST", "/auth/invitation", { token, name, response }));
}

export async function addPasskey(name: string): Promise<void> {
  const options = await auth<PublicKeyCredentialCreationOptionsJSON>("POST", "/auth/passkeys/options", {});
  const response = await byDevice(options, startRegistration);
  await auth("POST", "/auth/passkeys", { name, response });
}

export async function removePasskey(passkey: string): Promise<void> {
  await auth("DELETE", `/auth/passkeys/${encodeURIComponent(passkey)}`, {});
}

/** Asks again for the passkeys and for who is signed in, once passkeys have changed. */
export function useRenewPasskeys(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries();
}
