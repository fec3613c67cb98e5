import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { withPorts } from "../../../kernel/slice.ts";
import { rotationRefused } from "../errors.ts";
import { exampleListingPublisher } from "../example.ts";
import { publisherView } from "../listing-view.ts";
import { findPublisher, travelling } from "../publisher-store.ts";
import { rotateOwnKey } from "../publishing-key.ts";
import { ListingPublisher } from "../schemas.ts";
import { PublisherRef } from "../words.ts";

/** As many as bundles may have. */
const mostRotations = 32;

export const rotateKey = withPorts(({ connections }) =>
  defineOperation({
    id: "marketplace.rotateKey",
    method: "POST",
    path: "/v1/marketplace/publishers/{publisher}/rotate",
    summary: "Rotate the own signing key",
    description: "Makes a new key for which the old one vouches. Bundles that are signed from now on carry both.",
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
      if (travelling(loaded).rotations.length >= mostRotations)
        throw refuse(rotationRefused, `The key was rotated ${mostRotations} times, the most that a bundle carries.`);
      if (!loaded.own) throw refuse(rotationRefused, `${loaded.name} signs elsewhere: its keys are rotated there.`);
      return publisherView(ctx, await rotateOwnKey(ctx, connections.credentialKey));
    },
  }),
);
