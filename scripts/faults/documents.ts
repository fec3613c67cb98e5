import type { Fault } from "./fault.ts";

// Knowledge: what is deleted is gone, what was cited stays readable, what is hidden does not exist.

const slice = "server/src/features/knowledge";

export const documentFaults: readonly Fault[] = [
  {
    name: "deleted-document-keeps-its-chunks",
    file: `${slice}/documents/deletion-store.ts`,
    find: "  await removeChunks(ctx, { id: base }, { documents });",
    replace: "",
    tests: [`${slice}/documents/operations/delete-document.test.ts`],
  },
  {
    name: "deleted-citation-told-to-everybody",
    file: `${slice}/documents/operations/read-citation.ts`,
    find: "!maySee([readerTokens(ctx.principal)], tombstone.readers, tombstone.base_readers)",
    replace: "!maySee([null], tombstone.readers, tombstone.base_readers)",
    tests: [`${slice}/documents/operations/delete-document.test.ts`],
  },
  {
    name: "hidden-document-shown",
    file: `${slice}/documents/store.ts`,
    find: 'visible([readerTokens(ctx.principal)], "d.readers")',
    replace: 'visible([null], "d.readers")',
    tests: [`${slice}/documents/operations/list-documents.test.ts`],
  },
  {
    name: "corrected-chunk-not-kept",
    file: `${slice}/documents/chunk-store.ts`,
    find: "await keepFormerChunks(ctx, base.id, [document], key);",
    replace: "",
    tests: [`${slice}/documents/operations/change-chunk.test.ts`],
  },
  {
    name: "change-lost-by-a-reindex",
    file: `${slice}/bases/lookup-store.ts`,
    find: "return [{ id, language, generation }, ...coming];",
    replace: "return [{ id, language, generation }, ...coming].slice(0, 1);",
    tests: [`${slice}/bases/operations/change-base.test.ts`],
  },
  {
    name: "used-base-deleted",
    file: `${slice}/bases/operations/delete-base.ts`,
    find: "query.force !== true",
    replace: "query.force === false",
    tests: [`${slice}/bases/operations/delete-base.test.ts`],
  },
];
