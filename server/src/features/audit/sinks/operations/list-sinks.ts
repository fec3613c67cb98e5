import { Type } from "typebox";
import { commaList } from "../../../../kernel/schema-words.ts";
import { sinks } from "../resource.ts";
import { SinkKindName } from "../target-schemas.ts";

export const listSinks = sinks.listOperation({
  id: "audit.listSinks",
  summary: "List audit sinks",
  description:
    "Newest first, each with its position in the log, how far it is behind, and why the last attempt failed.",
  filters: {
    kind: commaList(SinkKindName, "Kinds"),
    failing: Type.Optional(Type.Boolean({ description: "Those whose last attempt failed, or all others." })),
  },
  narrow: (query, { filter: { kind, failing } }) =>
    query
      .$if(kind !== undefined, (q) => q.where("r.kind", "in", kind ?? []))
      .$if(failing !== undefined, (q) => q.where("r.failing_since", failing ? "is not" : "is", null)),
});
