import { Type } from "typebox";
import { defineResource } from "../../../resources/resource.ts";
import { exampleBase } from "../example.ts";
import { findBase } from "./lookup-store.ts";
import { storedBases } from "./resource.ts";
import { BaseRef, KnowledgeBase } from "./schemas.ts";
import { countBases } from "./store.ts";
import { baseView } from "./view.ts";

export const bases = defineResource({
  ...storedBases,
  path: "/v1/knowledge/bases",
  member: Type.Object({ base: BaseRef }),
  load: (ctx, { base }) => findBase(ctx, base),
  item: KnowledgeBase,
  identity: "base_id",
  example: { params: { base: exampleBase.name }, item: exampleBase },
  complete: (ctx, rows) => countBases(ctx, rows),
  view: baseView,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  object: "base",
  hasNames: true,
  objects: "bases",
  permission: { read: "knowledge:read", change: "knowledge:write" },
  governs: { read: "knowledge.read", change: "knowledge.change" },
  decides: "documents",
});
