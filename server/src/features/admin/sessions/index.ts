import type { FactSet } from "../../../kernel/facts.ts";
import type { Operation } from "../../../kernel/operation.ts";
import { sessionFacts } from "./facts.ts";
import { admitAccount } from "./operations/admit-account.ts";
import { acceptInvitation, openInvitation } from "./operations/invitation.ts";
import { inviteMember } from "./operations/invite-member.ts";
import { listSessions } from "./operations/list-sessions.ts";
import { makeLink } from "./operations/make-link.ts";
import { addNewPasskey, beginNewPasskey, readPasskeys, removePasskey } from "./operations/passkeys.ts";
import { readSession } from "./operations/read-session.ts";
import { revokeSession } from "./operations/revoke-session.ts";
import { sendInvitation } from "./operations/send-invitation.ts";
import { signInWithKey } from "./operations/sign-in-with-key.ts";
import { signInWithLink } from "./operations/sign-in-with-link.ts";
import { signInWithPasskey } from "./operations/sign-in-with-passkey.ts";
import { signInWithProvider } from "./operations/sign-in-with-provider.ts";
import { signOut } from "./operations/sign-out.ts";
import type { SignInPort } from "./ports.ts";

/** What the portal's sign-in calls under /auth/. They pass the pipeline and stand in no description of the interface: their credential is a browser's. */
export const createSignInOperations = (port: SignInPort) =>
  ({
    ...{
      signInWithKey,
      signInWithLink,
      signInWithProvider,
      signInWithPasskey,
      readSession,
      signOut,
      readPasskeys,
      removePasskey,
    },
    openInvitation: openInvitation(port),
    acceptInvitation: acceptInvitation(port),
    beginPasskey: beginNewPasskey(port),
    addPasskey: addNewPasskey(port),
  }) as const;

export const createOperations = (port: SignInPort): readonly Operation[] => [
  ...[listSessions, revokeSession, makeLink, admitAccount, sendInvitation],
  inviteMember(port),
];
export const facts: readonly FactSet<unknown>[] = [sessionFacts];
