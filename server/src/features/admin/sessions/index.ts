import type { FactSet } from "../../../kernel/facts.ts";
import type { Operation } from "../../../kernel/operation.ts";
import { sessionFacts } from "./facts.ts";
import { admitAccount } from "./operations/admit-account.ts";
import { makeLink } from "./operations/make-link.ts";
import { readSession } from "./operations/read-session.ts";
import { signInWithKey } from "./operations/sign-in-with-key.ts";
import { signInWithLink } from "./operations/sign-in-with-link.ts";
import { signInWithProvider } from "./operations/sign-in-with-provider.ts";
import { signOut } from "./operations/sign-out.ts";

/** What the portal's sign-in calls under /auth/. They pass the pipeline and stand in no description of the interface: their credential is a browser's. */
export const signInOperations = { signInWithKey, signInWithLink, signInWithProvider, readSession, signOut } as const;

export const operations: readonly Operation[] = [makeLink, admitAccount];
export const facts: readonly FactSet<unknown>[] = [sessionFacts];
