import type { FastifyInstance } from "fastify";
import type { Proofs } from "../features/index.ts";
import { ownPagesOnly } from "./cors.ts";

/** How people can sign in here, for the page that asks. */
export interface SignInMethods {
  /** The provider's name; null: there is none. */
  readonly provider: string | null;
  readonly passkeys: boolean;
}

/** What the sign-in page asks before anybody is known. Outside the pipeline: it tells nothing about anybody, and keeps nothing. */
export function routeSignInMethods(server: FastifyInstance, methods: SignInMethods, proofs: Proofs): void {
  server.get("/auth/methods", async (_request, reply) => reply.headers(ownPagesOnly).send(methods));
  if (!methods.passkeys) return;
  server.get("/auth/passkey/options", async (_request, reply) =>
    reply.headers(ownPagesOnly).send(await proofs.passkeyOptions()),
  );
}
