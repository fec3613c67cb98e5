import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import type { Role } from "../../../../kernel/principal.ts";
import { notFound } from "../../../../kernel/problems.ts";
import { drawSecret, hashOfSecret } from "../../../../kernel/sessions.ts";
import { findGuest, insertLink } from "../store.ts";

export interface MadeLink {
  /** The whole address; its fragment, which no server is sent, holds the token. */
  readonly url: string;
  readonly linkId: string;
  readonly memberId: string;
  readonly name: string;
  readonly role: Role;
  readonly expiresAt: Date;
}

/** Makes a one-time link on the host, where there is no key yet. `member`: an id or an e-mail address; null: the person who has been an admin of the environment for longest. */
export const makeLink: InsideOperation<{ readonly member: string | null }, MadeLink> = defineInside({
  id: "sessions.makeLink",
  summary: "Make a one-time sign-in link",
  permission: exempt("the host's own command line, and the first start"),
  load: exempt("names no object; whom the link is for is looked up with it"),
  gate: exempt("makes no agent act"),
  compliance: exempt("the way in for whoever has the host, like its keys"),
  audit: ({ output }: { output: MadeLink | undefined }) => (output ? `link:${output.linkId}` : "links"),
  async handle(ctx, { params }: { params: { readonly member: string | null } }) {
    const guest = await findGuest(ctx, params.member);
    if (!guest) throw refuse(notFound, whyNobody(params.member, ctx.scope.environment));
    const token = drawSecret();
    const linkId = ctx.newId("lnk");
    const expiresAt = await insertLink(ctx, { id: linkId, hash: hashOfSecret(token), memberId: guest.id });
    return {
      url: `${ctx.appUrl}/sign-in#token=${token}`,
      linkId,
      memberId: guest.id,
      name: guest.name,
      role: guest.role,
      expiresAt,
    };
  },
});

function whyNobody(member: string | null, environment: string): string {
  if (member === null)
    return `No person is an admin of ${environment}; name somebody with a role there: --member <mbr_… or e-mail address>.`;
  return `${member} is no person with a role in ${environment}; GET /v1/admin/members lists those who have one.`;
}
