import { exempt } from "../../../kernel/operation.ts";
import {
  erasedBy,
  erasedWith,
  erasedWithRow,
  evidence,
  keptFor,
  ownTables,
  untilRemoved,
} from "../../../resources/tables.ts";

const expires = "knowledge.remove_expired_versions";

export const owned = ownTables({
  documents: {
    keeps: untilRemoved("Deleted by people, by a sync once the source no longer has them, and with their base."),
    personal: {
      columns: [
        "external_id",
        "title",
        "text",
        "fields",
        "metadata",
        "file_name",
        "url",
        "pending",
        "author",
        "readers",
        "reviewed_by",
        "deciders",
      ],
      erased: erasedBy("knowledge.deleteDocument"),
    },
  },
  document_versions: {
    keeps: keptFor("For the base's `version_days`, at most as long as the document.", expires),
    personal: {
      columns: ["title", "text", "fields", "file_name", "url", "author", "deciders"],
      erased: erasedWith("documents"),
    },
  },
  document_files: {
    keeps: keptFor("As long as the version that they belong to.", expires),
    personal: { columns: ["data"], erased: erasedWith("documents") },
  },
  former_chunks: {
    keeps: keptFor("For the base's `version_days`, at most as long as the document.", expires),
    personal: { columns: ["title", "text", "headings", "corrected_from"], erased: erasedWith("documents") },
  },
  document_usage: {
    keeps: untilRemoved("One row for each document, deleted with it."),
    personal: exempt("counts retrievals"),
  },
  deleted_documents: {
    keeps: evidence("Citations answer 410, and approvals name who decided what a run read of it."),
    personal: {
      columns: ["deleted_by", "readers", "base_readers", "deciders"],
      erased: erasedWithRow("names who decided what the document said, which approvals rest on"),
    },
  },
});
