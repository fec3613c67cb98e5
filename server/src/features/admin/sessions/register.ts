import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { findPerson } from "../members/store.ts";
import { signInPort } from "../ports.ts";
import { passkeyNotAccepted, personalSignInRequired } from "./errors.ts";
import { insertPasskey, listPasskeys, mostPasskeys, useChallenge } from "./passkeys-store.ts";
import type { PasskeyResponse } from "./schemas.ts";
import { ownSession } from "./view.ts";
import { readResponse, registrationOptions, verifiedRegistration } from "./webauthn.ts";

const purposeOf = (memberId: string): string => `register ${memberId}`;

export async function beginPasskey(ctx: WriteContext): Promise<Record<string, unknown>> {
  const { id } = ctx.principal;
  const person = await findPerson(ctx, id);
  const known = await listPasskeys(ctx, id);
  const challenge = ctx.port(signInPort).challenges.issue(purposeOf(id), ctx.now);
  const { name = "", email = null } = person ?? {};
  const options = await registrationOptions(ctx.appUrl, challenge, {
    memberId: id,
    name,
    email,
    known: known.map((one) => one.credential_id),
  });
  return { ...options };
}

export async function addPasskey(
  ctx: WriteContext,
  { name, response }: { readonly name: string; readonly response: PasskeyResponse },
): Promise<string> {
  const { id } = ctx.principal;
  const passkey = await verifiedRegistration(ctx.appUrl, response, (challenge) =>
    ctx.port(signInPort).challenges.accepts(purposeOf(id), challenge, ctx.now),
  );
  if (!passkey || !(await useChallenge(ctx, readResponse(response).challenge))) {
    throw refuse(
      passkeyNotAccepted,
      "What the browser sent does not prove a new passkey for this page: its challenge, origin or user verification is not right.",
    );
  }
  if ((await listPasskeys(ctx, id)).length >= mostPasskeys)
    throw refuse(passkeyNotAccepted, `You have ${mostPasskeys} passkeys; remove one first.`);
  const passkeyId = await insertPasskey(ctx, id, name, passkey);
  if (passkeyId === undefined)
    throw refuse(
      passkeyNotAccepted,
      "This passkey is known already, as yours or as somebody else's; one that was removed cannot be added again. Make a new one.",
    );
  return passkeyId;
}

/** Throws where the caller's session was not opened in person: a passkey that it added would make somebody else that person. */
export async function requirePersonalSession(ctx: WriteContext): Promise<void> {
  const { method } = await ownSession(ctx);
  if (method === "oidc" || method === "passkey") return;
  throw refuse(personalSignInRequired, `This session was opened by a ${method}, which somebody else may have made.`, {
    stage: "permissions",
  });
}
