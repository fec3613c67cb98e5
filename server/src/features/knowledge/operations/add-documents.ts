import { type Static, Type } from "typebox";
import { byObject } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { putDocuments, type StoredDocument } from "../document-store.ts";
import { exampleAdded, exampleBase, exampleRecord } from "../example.ts";
import { documentOf, readItems } from "../model.ts";
import { ofOwnBase } from "../narrowing.ts";
import { AddDocumentsBody, AddDocumentsResult, BaseRef } from "../schemas.ts";
import { findBase } from "../store.ts";
import { addedView } from "../view.ts";

export const addDocuments = defineOperation({
  id: "knowledge.addDocuments",
  method: "POST",
  path: "/v1/knowledge/bases/{base}/documents/bulk",
  status: 207,
  summary: "Add many documents",
  description:
    "Up to 1,000 documents, each as if it were added alone and with a result of its own: one with a fault is left out, the others are added. They commit " +
    "together.",
  params: Type.Object({ base: BaseRef }),
  body: AddDocumentsBody,
  output: AddDocumentsResult,
  example: {
    params: { base: exampleBase.name },
    body: { documents: [exampleRecord, { external_id: "ld_1002" }] },
    output: {
      added: 1,
      replaced: 0,
      unchanged: 0,
      failed: 1,
      results: [
        { index: 0, status: 202, document: exampleAdded, errors: [] },
        {
          index: 1,
          status: 422,
          document: null,
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
  compliance: governs(
    "document.add",
    (_ctx, { body }: { body: Static<typeof AddDocumentsBody> }) => ({ input: body }),
    {
      keepsInput: () => false,
    },
  ),
  audit: ({ params, loaded }) => `base:${loaded?.id ?? params.base}`,
  async handle(ctx, { body, loaded: base }) {
    const items = readItems(body.documents);
    const sound = items.flatMap((item) => ("body" in item ? [documentOf(ctx, item.body)] : []));
    const stored = (await putDocuments(ctx, base, sound, { author: ctx.principal.id, at: new Date(ctx.now) })).values();
    const results = items.map((item, index): AddDocumentsResult["results"][number] => {
      if ("faults" in item) return { index, status: 422, document: null, errors: [...item.faults] };
      return { index, status: 202, document: addedView(stored.next().value as StoredDocument), errors: [] };
    });
    const count = (outcome: string): number => results.filter(({ document }) => document?.outcome === outcome).length;
    const failed = results.filter(({ document }) => document === null).length;
    return { added: count("added"), replaced: count("replaced"), unchanged: count("unchanged"), failed, results };
  },
});
