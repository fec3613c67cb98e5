import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineEvent, whoHolds } from "../../../../kernel/events.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { insufficientScope, notFound } from "../../../../kernel/problems.ts";
import { insertConfirmation } from "../../../admin/public.ts";
import { noSecondPerson, notSignedInPersonally, personsOnly } from "../../../approvals/requests/public.ts";
import { contentFaults, findContent, refuseBarred, requirePermission } from "../content.ts";
import { contentChanged, decidedByYou } from "../errors.ts";
import { exampleConfirmation } from "../example.ts";
import { Confirmation, ConfirmBody, ContentDigest } from "../schemas.ts";
import { confirmationView, findConfirmation } from "../store.ts";

export const contentConfirmed = defineEvent({
  type: "content.confirmed",
  summary: "A second person reviewed content that others wrote, and confirmed it.",
  readers: whoHolds("governance:read"),
  schema: Type.Object({
    event: Type.Literal("content.confirmed"),
    object: Type.String({ description: "The content by kind and name, such as `agent:sales@3`." }),
    digest: ContentDigest,
    confirmed_by: Type.String({ description: "Who confirmed it: `mbr_…`." }),
  }),
});

export const confirm = defineOperation({
  id: "governance.confirm",
  method: "POST",
  path: "/v1/governance/confirmations",
  status: 201,
  summary: "Confirm content that others wrote",
  description:
    "Keys are always refused: confirm in the portal, or with a session that was opened with a passkey or OpenID Connect. " +
    "Records that you reviewed this exact content in this environment. Its authors can then approve calls that use it. " +
    "An author cannot confirm. Changed content needs another review. Repeating the call changes nothing and responds with the confirmation that exists.",
  location: ({ object }) => `/v1/governance/contents/${object}`,
  body: ConfirmBody,
  output: Confirmation,
  example: {
    body: { object: exampleConfirmation.object, digest: exampleConfirmation.digest },
    output: exampleConfirmation,
  },
  permission: "governance:confirm",
  load: exempt("names no object in its path; the content stands in the body"),
  narrowing: byBody("the agents that the content concerns", async (ctx, { body }: { body: ConfirmBody }) => {
    const found = await findContent(ctx, body.object);
    return found?.agents ?? null;
  }),
  validate: (ctx, { body }) => contentFaults(ctx, body.object),
  gate: exempt("makes no agent act"),
  decides: exempt("changes nothing of the content that it confirms"),
  compliance: governs("content.confirm"),
  audit: ({ output }) => output?.object ?? "confirmations",
  emits: [contentConfirmed],
  errors: [
    notFound,
    insufficientScope,
    personsOnly,
    noSecondPerson,
    notSignedInPersonally,
    decidedByYou,
    contentChanged,
  ],
  async handle(ctx, { body: { object, digest } }) {
    const found = await findContent(ctx, object);
    if (!found) throw refuse(notFound, `There is no ${object} in ${ctx.scope.environment}.`);
    const { kind, content } = found;
    requirePermission(ctx, kind.permission, `Confirming ${object}`);
    refuseBarred(ctx, content);
    if (content.digest !== digest) {
      const detail = `${object} changed after you read it, or the digest belongs to other content. Read it again at ${content.path}.`;
      throw refuse(contentChanged, detail, { members: { digest: content.digest } });
    }
    const known = await findConfirmation(ctx, content);
    if (known) return known;
    // Somebody may have confirmed it since: then nothing is inserted.
    const made = await insertConfirmation(ctx, content, "confirmed");
    if (!made) return (await findConfirmation(ctx, content)) as Confirmation;
    kind.confirmed?.(ctx);
    ctx.emit(contentConfirmed, { object, digest, confirmed_by: ctx.principal.id });
    return confirmationView(made);
  },
});
