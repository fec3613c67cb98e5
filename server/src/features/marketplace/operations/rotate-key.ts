import { Type } from "typebox";
import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { exampleListingPublisher } from "../example.ts";
import { findPublisher } from "../publisher-store.ts";
import { ListingPublisher } from "../schemas.ts";
import { PublisherRef } from "../words.ts";

export const rotateKey = defineOperation({
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
  compliance: governs("publisher.rotate"),
  audit: ({ params }) => `publisher:${params.publisher}`,
  handle: () => {
    throw new Error("not built yet");
  },
});
