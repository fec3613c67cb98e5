import { acceptInvitation, openInvitation } from "./operations/invitation.ts";
import { addNewPasskey, beginNewPasskey, readPasskeys, removePasskey } from "./operations/passkeys.ts";
import { readSession, signOut } from "./operations/sessions.ts";
import { signInWithKey, signInWithLink, signInWithPasskey, signInWithProvider } from "./operations/sign-in.ts";

/** The operations of the portal's sign-in: calls of the pipeline like any other, which HTTP takes at addresses of their own. */
export const signInOperations = {
  acceptInvitation,
  addPasskey: addNewPasskey,
  beginPasskey: beginNewPasskey,
  openInvitation,
  readPasskeys,
  readSession,
  removePasskey,
  signInWithKey,
  signInWithLink,
  signInWithPasskey,
  signInWithProvider,
  signOut,
};
