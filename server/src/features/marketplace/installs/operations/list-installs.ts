import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { whole } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { exampleInstallSummary } from "../../example.ts";
import { InstallSummary } from "../../schemas.ts";
import { listInstallRows } from "../store.ts";
import { installSummaries } from "../view.ts";

export const listInstalls = defineList({
  id: "marketplace.listInstalls",
  path: "/v1/marketplace/installs",
  listed: true,
  summary: "List installs",
  description: "In the environment of the key, newest first, each with its update, drift and recall.",
  filters: {
    listing: Type.Optional(Type.String({ maxLength: 64, description: "Installs of this listing." })),
    removed: Type.Optional(Type.Boolean({ description: "True includes removed ones." })),
  },
  item: InstallSummary,
  example: { item: exampleInstallSummary },
  permission: "marketplace:read",
  narrowing: whole("concerns agents of other publishers and what installs make"),
  compliance: governs("install.read"),
  audit: "installs",
  read: async (ctx, filter, page) => installSummaries(ctx, await listInstallRows(ctx, filter, page)),
  position: ({ created_at, install_id }) => ({ keys: [created_at], id: install_id }),
  view: (summary) => summary,
});
