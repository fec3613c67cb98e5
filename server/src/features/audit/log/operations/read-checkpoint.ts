import { Type } from "typebox";
import { counted } from "../../../../kernel/count.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { openToAll } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { insufficientScope } from "../../../../kernel/problems.ts";
import { closed } from "../../../../kernel/schema-words.ts";
import { logShorter, logStopped } from "../../errors.ts";
import { exampleCheckpoint } from "../../example.ts";
import { auditPort } from "../../ports.ts";
import { LogParameter, logOf } from "../logs.ts";

/** Body of a C2SP tlog-witness `add-checkpoint` request: the old size, the consistency proof, an empty line, the checkpoint. */
function withConsistency(from: number, hashes: readonly string[], checkpoint: string): string {
  return `${[`old ${from}`, ...hashes].join("\n")}\n\n${checkpoint}`;
}

export const readCheckpoint = defineRead({
  id: "audit.readCheckpoint",
  path: "/v1/audit/checkpoint",
  listed: true,
  summary: "Read the newest signed checkpoint",
  description:
    "The head of the environment's log as a signed note (C2SP tlog-checkpoint). With `from`, the size of a checkpoint that you kept, the answer begins with the proof " +
    "that the log still contains all that it covered, in the form in which witnesses take it (C2SP tlog-witness, add-checkpoint). Where witnesses are set up, their " +
    "cosignatures stand below the log's signature as soon as they have come; `cosigned=true` answers the newest head that has one, or the newest of all where none has.",
  query: Type.Object(
    {
      log: LogParameter,
      from: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: "The size of an older head: its second line.",
        }),
      ),
      cosigned: Type.Optional(
        Type.Boolean({ description: "Whether to answer the newest head that a witness cosigned." }),
      ),
    },
    closed,
  ),
  output: Type.String(),
  contentType: "text/plain; charset=utf-8",
  example: { output: exampleCheckpoint },
  permission: "audit:read",
  load: exempt("names no object; the log is that of the key's environment, or of the installation for who may read it"),
  narrowing: openToAll("names the size of the log and a hash, and no record"),
  compliance: governs("audit.read"),
  audit: "audit",
  errors: [insufficientScope, logShorter, logStopped],
  async handle(ctx, { query: { log, from, cosigned = false } }) {
    const head = await ctx
      .port(auditPort)
      .checkpoint(logOf(ctx, log), from === undefined ? { cosigned } : { from, cosigned });
    if (head.state === "stopped") throw refuse(logStopped, `${head.detail} ${head.remedy}`);
    if (head.state === "beyond") {
      throw refuse(
        logShorter,
        `The log has ${counted(head.size, "record")}, so no head of ${counted(from ?? 0, "record")}. Compare the first lines of the two checkpoints.`,
      );
    }
    return head.consistency === null || from === undefined
      ? head.checkpoint
      : withConsistency(from, head.consistency, head.checkpoint);
  },
});
