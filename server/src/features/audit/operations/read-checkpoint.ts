import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { defineRead, exempt, governs, type Operation } from "../../../kernel/operation.ts";
import { logShorter } from "../errors.ts";
import { exampleCheckpoint } from "../example.ts";
import type { AuditPort } from "../ports.ts";

/** Body of a C2SP tlog-witness `add-checkpoint` request: the old size, the consistency proof, an empty line, the checkpoint. */
function withConsistency(from: number, hashes: readonly string[], checkpoint: string): string {
  return `${[`old ${from}`, ...hashes].join("\n")}\n\n${checkpoint}`;
}

export const readCheckpoint = (port: AuditPort): Operation =>
  defineRead({
    id: "audit.readCheckpoint",
    method: "GET",
    path: "/v1/audit/checkpoint",
    status: 200,
    listed: true,
    summary: "Read the newest signed checkpoint",
    description:
      "The head of the environment's log as a signed note (C2SP tlog-checkpoint). With `from`, the size of a checkpoint that you kept, the answer begins with the proof " +
      "that the log still contains all that it covered, in the form in which witnesses take it (C2SP tlog-witness, add-checkpoint).",
    params: Type.Object({}),
    query: Type.Object(
      { from: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "The size of an older head: its second line." })) },
      { additionalProperties: false },
    ),
    output: Type.String(),
    contentType: "text/plain; charset=utf-8",
    example: { output: exampleCheckpoint },
    permission: "audit:read",
    load: exempt("names no object; the log is that of the key's environment"),
    gate: exempt("reads, makes no agent act"),
    compliance: governs("audit.read", () => ({})),
    audit: () => ({ object: "audit" }),
    emits: [],
    errors: [logShorter],
    async handle(ctx, { query: { from } }) {
      const head = await port.checkpoint(ctx.scope, from);
      if (head.state === "beyond") {
        throw refuse(
          logShorter,
          `The log has ${head.size} records, so no head of ${from} records. Compare the first lines of the two checkpoints.`,
        );
      }
      return head.consistency === null || from === undefined ? head.checkpoint : withConsistency(from, head.consistency, head.checkpoint);
    },
  });
