import { type Static, Type } from "typebox";
import type { WriteContext } from "../../../kernel/context.ts";
import { byObject } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { writerOf } from "../deciders.ts";
import { findNamed, removeDocuments } from "../deletion-store.ts";
import { keyOf, type NewDocument, putDocuments, type StoredDocument } from "../document-store.ts";
import { documentExists } from "../errors.ts";
import { documentDeleted } from "../events.ts";
import { exampleAdded, exampleBase, exampleRecord } from "../example.ts";
import { documentOf, readItems } from "../model.ts";
import { ofOwnBase } from "../narrowing.ts";
import { AddDocumentsBody, AddDocumentsResult, BaseRef } from "../schemas.ts";
import { type BaseHead, type By, findBase } from "../store.ts";
import { findTaken, takenDetail } from "../taken.ts";
import { addedView } from "../view.ts";

export const addDocuments = defineOperation({
  id: "knowledge.addDocuments",
  method: "POST",
  path: "/v1/knowledge/bases/{base}/documents/bulk",
  status: 207,
  summary: "Add or delete many documents",
  description:
    "Up to 1,000 documents, each as if it were added alone and with a result of its own: one with a fault is left out, the others are added. An item " +
    '`{ "delete": "<id or external_id>" }` deletes that document with everything of it, before others are added. All commit together.',
  params: Type.Object({ base: BaseRef }),
  body: AddDocumentsBody,
  bounds: { values: 50_000 },
  output: AddDocumentsResult,
  example: {
    params: { base: exampleBase.name },
    body: { documents: [exampleRecord, { external_id: "ld_1002" }] },
    output: {
      added: 1,
      replaced: 0,
      unchanged: 0,
      deleted: 0,
      failed: 1,
      results: [
        { index: 0, status: 202, document: exampleAdded, deleted: null, errors: [] },
        {
          index: 1,
          status: 422,
          document: null,
          deleted: null,
          errors: [
            { pointer: "", code: "required", detail: "has neither `text` nor `fields`; give one of them, or both" },
          ],
        },
      ],
    },
  },
  permission: "knowledge:write",
  load: (ctx, { base }) => findBase(ctx, base),
  narrowing: byObject("the agents that name the base, in their draft or a version", ofOwnBase),
  gate: exempt("adds to a base; nothing acts"),
  decides: "documents",
  compliance: governs(
    "document.add",
    (_ctx, { body }: { body: Static<typeof AddDocumentsBody> }) => ({ input: body }),
    {
      keepsInput: () => false,
    },
  ),
  emits: [documentDeleted],
  audit: ({ params, loaded }) => `base:${loaded?.id ?? params.base}`,
  async handle(ctx, { body, loaded: base }) {
    const by = writerOf(ctx);
    const items = readItems(body.documents);
    const removed = await removeNamed(
      ctx,
      base,
      items.flatMap((item) => ("deletes" in item ? item.deletes : [])),
      by,
    );
    const sound = items.flatMap((item) => ("body" in item ? [documentOf(ctx, item.body)] : []));
    const taken = await findTaken(ctx, base.id, sound);
    const free = sound.filter((one) => !taken.has(keyOf(one)));
    const stored = (await putDocuments(ctx, base, free, by)).values();
    const given = sound.values();
    const results = items.map((item, index): Result => {
      const nothing = { index, document: null, deleted: null, errors: [] };
      if ("faults" in item) return { ...nothing, status: 422, errors: [...item.faults] };
      const document = "body" in item ? (given.next().value as NewDocument) : null;
      if (document && taken.has(keyOf(document))) return { ...nothing, status: 409, errors: [takenFault(document)] };
      if ("body" in item)
        return { ...nothing, status: 202, document: addedView(stored.next().value as StoredDocument, ctx.now) };
      const deleted = removed.get(item.deletes);
      return deleted ? { ...nothing, status: 200, deleted } : { ...nothing, status: 404, errors: [noSuchDocument] };
    });
    const count = (outcome: string): number => results.filter(({ document }) => document?.outcome === outcome).length;
    const failed = results.filter(({ errors }) => errors.length > 0).length;
    const deleted = results.filter(({ status }) => status === 200).length;
    return {
      ...{ added: count("added"), replaced: count("replaced"), unchanged: count("unchanged") },
      ...{ deleted, failed, results },
    };
  },
});

type Result = AddDocumentsResult["results"][number];

const noSuchDocument = { pointer: "/delete", code: "not_found", detail: "names no document of the base" } as const;

const takenFault = (document: NewDocument) => ({
  pointer: document.external_id === null ? "" : "/external_id",
  code: documentExists.code,
  detail: takenDetail(document),
});

/** Removes documents by id or external id. Returns the ids of those that there were, by what named them. */
async function removeNamed(
  ctx: WriteContext,
  base: BaseHead,
  names: readonly string[],
  by: By,
): Promise<ReadonlyMap<string, string>> {
  const found = await findNamed(ctx, base.id, names);
  const removed = await removeDocuments(ctx, base, [...new Set(found.values())], by);
  for (const { id, external_id, parent } of removed) {
    if (parent !== null && ![...found.values()].includes(id)) continue;
    const common = { base_id: base.id, base: base.name, deleted_by: by.author };
    ctx.emit(documentDeleted, { ...common, document_id: id, external_id });
  }
  return found;
}
