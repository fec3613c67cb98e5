import { Type } from "typebox";
import { commaList } from "../../../../kernel/schema-words.ts";
import { BundleKind, ListingState } from "../../schema-words.ts";
import { listings } from "../operation-parts.ts";
import { filtered } from "../store.ts";

export const listListings = listings.listOperation({
  id: "marketplace.listListings",
  listed: true,
  summary: "Browse the catalogue",
  description: "Approved listings, newest first; `state` shows others.",
  filters: {
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "Words in name, title, summary or business function." }),
    ),
    kind: Type.Optional(BundleKind),
    business_function: Type.Optional(Type.String({ maxLength: 100, description: "Such as `Finance`." })),
    state: commaList(
      ListingState,
      "States; default `approved`. `submitted` also finds approved ones of which a newer version waits",
    ),
    publisher: Type.Optional(Type.String({ maxLength: 64, description: "By id." })),
    origin: Type.Optional(Type.Enum(["own", "imported", "starter"] as const, { description: "Where it comes from." })),
  },
  narrow: (query, { ctx, filter }) => filtered(ctx, query, filter),
});
