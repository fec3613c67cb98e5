import { defineInside, exempt, governs, type InsideOperation } from "../../../../kernel/operation.ts";
import { openSession } from "../open.ts";
import type { Opening, Session } from "../schemas.ts";

/** The end of a sign-in by OpenID Connect. It has no address: what the browser comes back to is a redirect, which HTTP turns into this call. */
export const signInWithProvider: InsideOperation<Opening, Session> = defineInside({
  id: "sessions.signInWithProvider",
  summary: "Sign in to the portal by OpenID Connect",
  permission: exempt("whoever the provider vouches for may do what their role allows"),
  load: exempt("names no object; the provider says who signs in"),
  gate: exempt("makes no agent act"),
  compliance: governs("session.open"),
  audit: ({ output }: { output: Session | undefined }) => (output ? `session:${output.session_id}` : "sessions"),
  handle: (ctx, { params }: { params: Opening }) => openSession(ctx, params, "oidc"),
});
