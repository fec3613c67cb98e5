import { type Static, Type } from "typebox";
import type { WriteContext } from "../../../../kernel/context.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { type BaseHead, type By, findBase } from "../../bases/lookup-store.ts";
import { aboutBase, byOwnBase } from "../../bases/narrowing.ts";
import { documentExists } from "../../errors.ts";
import { documentDeleted } from "../../events.ts";
import { exampleAdded, exampleBase, exampleRecord } from "../../example.ts";
import { AddDocumentsBody, AddDocumentsResult, BaseRef } from "../../schemas.ts";
import { type Given, givenDocument, storeMany } from "../bulk.ts";
import { writerOf } from "../deciders.ts";
import { findNamed, removeDocuments } from "../deletion-store.ts";
import { findTaken, takenDetail } from "../guards.ts";
import { readItems } from "../rules.ts";
import { keyOf } from "../store.ts";
import { addedView } from "../view.ts";

export const addDocuments = defineOperation({
  id: "knowledge.addDocuments",
  method: "POST",
  path: "/v1/knowledge/bases/{base}/documents/bulk",
  status: 207,
  summary: "Add or delete many documents",
  description:
    "Up to 1,000 documents, each as if it were added alone and with a result of its own: one with a fault is left out, the others are added. " +
    "Markdown and HTML (`media_type`) are parsed after the answer; `state` says how far each is. " +
    'An item `{ "delete": "<id or external_id>" }` deletes that document with everything of it, before others are added. All commit together.',
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
  narrowing: byOwnBase,
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
  audit: aboutBase,
  async handle(ctx, { body, loaded: base }) {
    const by = writerOf(ctx);
    const items = readItems(body.documents);
    const removed = await removeNamed(
      ctx,
      base,
      items.flatMap((item) => ("deletes" in item ? item.deletes : [])),
      by,
    );
    const given = items.map((item) => ("body" in item ? givenDocument(ctx, item.body) : null));
    const sound = given.filter((one) => one !== null);
    const taken = await findTaken(ctx, base.id, sound);
    const free = sound.filter((one) => !taken.has(keyOf(one)));
    const stored = await storeMany(ctx, base, free, by);
    const results = items.map((item, index): Result => {
      const nothing = { index, document: null, deleted: null, errors: [] };
      if ("faults" in item) return { ...nothing, status: 422, errors: [...item.faults] };
      if ("body" in item) {
        const own = given[index] as Given;
        const one = stored.get(own);
        if (one === undefined) return { ...nothing, status: 409, errors: [takenFault(own)] };
        return { ...nothing, status: 202, document: addedView(one, ctx.now) };
      }
      const deleted = removed.get(item.deletes);
      return deleted ? { ...nothing, status: 200, deleted } : { ...nothing, status: 404, errors: [noSuchDocument] };
    });
    const count = (outcome: string): number => results.filter(({ document }) => document?.outcome === outcome).length;
    const failed = results.filter(({ errors }) => errors.length > 0).length;
    const deleted = results.filter(({ status }) => status === 200).length;
    return {
      added: count("added"),
      replaced: count("replaced"),
      unchanged: count("unchanged"),
      deleted,
      failed,
      results,
    };
  },
});

type Result = AddDocumentsResult["results"][number];

const noSuchDocument = { pointer: "/delete", code: "not_found", detail: "names no document of the base" } as const;

const takenFault = (document: Given) => ({
  pointer: document.external_id === null ? "" : "/external_id",
  code: documentExists.code,
  detail: takenDetail(document),
});

/** Returns ids by the given names. */
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
