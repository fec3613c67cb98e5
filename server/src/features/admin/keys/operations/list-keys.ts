import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { exampleKey } from "../../example.ts";
import { Key, KeyState, MemberId, RoleName } from "../../schemas.ts";
import { keyView } from "../../view.ts";
import { listKeys as readPage } from "../store.ts";

export const listKeys = defineList({
  id: "admin.listKeys",
  path: "/v1/admin/keys",
  listed: true,
  summary: "List keys",
  description:
    "The keys of this environment, newest first: role, narrowing, expiry, last use. Never the keys themselves.",
  filters: {
    role: commaList(RoleName, "Roles"),
    member: Type.Optional(MemberId),
    state: commaList(KeyState, "States"),
  },
  item: Key,
  example: { item: exampleKey },
  permission: "admin:read",
  narrowing: limitedTo("lists keys that are narrowed to the key's agents"),
  compliance: governs("key.read"),
  audit: "keys",
  read: readPage,
  position: ({ id }) => id,
  view: (row, ctx) => keyView(row, ctx.now),
});
