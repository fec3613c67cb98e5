import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { whole } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { refuseUnknownKind } from "../content.ts";
import { unknownKind } from "../errors.ts";
import { exampleConfirmation } from "../example.ts";
import { Confirmation } from "../schemas.ts";
import { confirmationView, listConfirmationRows } from "../store.ts";

export const listConfirmations = defineList({
  id: "governance.listConfirmations",
  path: "/v1/governance/confirmations",
  summary: "List confirmations",
  description:
    "Reviews by a second person, newest first: confirmations, and deployments or releases of what others wrote.",
  filters: { object: Type.Optional(Type.String({ description: "Those of this content, such as `agent:sales@3`." })) },
  item: Confirmation,
  example: { item: exampleConfirmation },
  permission: "governance:read",
  narrowing: whole("lists reviews of content of all agents"),
  compliance: governs("content.read"),
  audit: "confirmations",
  errors: [unknownKind],
  read(ctx, filter, page) {
    refuseUnknownKind(ctx, filter.object);
    return listConfirmationRows(ctx, filter, page);
  },
  position: ({ id }) => id,
  view: confirmationView,
});
