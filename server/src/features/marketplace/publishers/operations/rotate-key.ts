import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { whole } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { connectionPort } from "../../../admin/public.ts";
import { rotationRefused } from "../../errors.ts";
import { exampleListingPublisher } from "../../example.ts";
import { publisherView } from "../../listings/view.ts";
import { PublisherRef } from "../../schema-words.ts";
import { ListingPublisher } from "../../schemas.ts";
import { rotateOwnKey } from "../publishing-key.ts";
import { findPublisher } from "../store.ts";

/** The limit of the bundle format. */
const mostRotations = 32;

export const rotateKey = defineOperation({
  id: "marketplace.rotateKey",
  method: "POST",
  path: "/v1/marketplace/publishers/{publisher}/rotate",
  summary: "Rotate the own signing key",
  description: "Creates a new key, signed by the old one. Bundles signed from now on contain both.",
  params: Type.Object({ publisher: PublisherRef }),
  output: ListingPublisher,
  example: { params: { publisher: exampleListingPublisher.publisher_id }, output: exampleListingPublisher },
  permission: "marketplace:review",
  load: (ctx, { publisher }) => findPublisher(ctx, publisher),
  narrowing: whole("concerns agents of other publishers and what installs make"),
  gate: exempt("makes no agent act"),
  decides: exempt("signs with another key; no contents change"),
  compliance: governs("publisher.rotate"),
  audit: ({ params }) => `publisher:${params.publisher}`,
  errors: [rotationRefused],
  async handle(ctx, { loaded }) {
    if (loaded.publisher.rotations.length >= mostRotations)
      throw refuse(rotationRefused, `The key was rotated ${mostRotations} times, the most that a bundle carries.`);
    if (!loaded.own) throw refuse(rotationRefused, `${loaded.name} signs elsewhere: its keys are rotated there.`);
    return publisherView(ctx, await rotateOwnKey(ctx, ctx.port(connectionPort).credentialKey));
  },
});
