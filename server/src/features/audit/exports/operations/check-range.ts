import { Type } from "typebox";
import { counted } from "../../../../kernel/count.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { whole } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { closed } from "../../../../kernel/schema-words.ts";
import { logShorter } from "../../errors.ts";
import { exampleRange } from "../../example.ts";
import { exportPort } from "../../ports.ts";
import { VerifiedRange as Answer, type VerifiedRange } from "../../schemas.ts";
import { checkLeaves, mostOfRange } from "../range.ts";

/** Records that a call checks where it names no number. */
const usual = 1_000;

export const checkRange = defineRead({
  id: "audit.checkRange",
  path: "/v1/audit/verify",
  summary: "Check a range of the log on the server",
  description:
    "Holds each record of the range to its hash in the log: text, place, number among those of its key, search index and salt; then all hashes to the signed head. " +
    "Without `from_leaf` it checks the newest records. It trusts this service and its key: whoever does not exports the log and verifies it offline (`aos audit verify`).",
  query: Type.Object(
    {
      from_leaf: Type.Optional(
        Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "The first place, from 0." }),
      ),
      records: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: mostOfRange,
          description: `How many records are checked; ${usual} where it is left out.`,
        }),
      ),
    },
    closed,
  ),
  output: Answer,
  example: { output: exampleRange },
  permission: "audit:read",
  load: exempt("names no object; the log is that of the key's environment"),
  narrowing: whole("checks records of all agents"),
  compliance: governs("audit.read"),
  audit: "audit",
  errors: [logShorter],
  async handle(ctx, { query: { from_leaf: wanted, records = usual } }): Promise<VerifiedRange> {
    const port = ctx.port(exportPort);
    const size = await port.size(ctx.scope);
    const from = wanted ?? Math.max(0, size - records);
    if (from > size) {
      throw refuse(
        logShorter,
        `The log has ${counted(size, "record")}, so there is none at place ${from}; \`from_leaf\` is at most ${size}.`,
      );
    }
    const end = Math.min(size, from + records);
    const { removed, findings, ...checked } = await checkLeaves(ctx.db, port, ctx.scope, from, end);
    return {
      ...checked,
      verified: findings.length === 0,
      from_leaf: from,
      to_leaf: end,
      log_size: size,
      log_key: port.logKey(ctx.scope),
      removed: removed.map(({ request, reason, leaves }) => ({ audit_ref: request, reason, records: leaves })),
      findings: [...findings],
    };
  },
});
