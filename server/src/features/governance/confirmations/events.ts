import { Type } from "typebox";
import { defineEvent, whoHolds } from "../../../kernel/events.ts";
import { ContentDigest } from "./schemas.ts";

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
