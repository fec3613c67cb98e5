import { Type } from "typebox";
import { openToAll } from "../../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleListingPublisher } from "../../example.ts";
import { publisherView } from "../../listings/view.ts";
import { PublisherRef } from "../../schema-words.ts";
import { ListingPublisher } from "../../schemas.ts";
import { findPublisher } from "../store.ts";

export const readPublisher = defineRead({
  id: "marketplace.readPublisher",
  path: "/v1/marketplace/publishers/{publisher}",
  summary: "Read a publisher",
  description: "Its identity and keys, and which of them this organization accepted.",
  params: Type.Object({ publisher: PublisherRef }),
  output: ListingPublisher,
  example: { params: { publisher: exampleListingPublisher.publisher_id }, output: exampleListingPublisher },
  permission: "marketplace:read",
  load: (ctx, { publisher }) => findPublisher(ctx, publisher),
  narrowing: openToAll("a catalogue for everybody, of no agent"),
  compliance: governs("publisher.read"),
  audit: ({ params }) => `publisher:${params.publisher}`,
  handle: (ctx, { loaded }) => publisherView(ctx, loaded),
});
