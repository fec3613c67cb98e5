import { operations } from "@aos/sdk/operations";
import { type ApprovalDetail, approvalLines } from "./approval-text.ts";
import { confirmed, lineOf } from "./ask.ts";
import { type Declared, type Given, refused, runDeclared, serviceFor } from "./call-command.ts";
import { isSet, lastOf, type Parsed } from "./flags.ts";
import { callFlags, valueFlags } from "./operations/options.ts";
import { type Request, requestOf } from "./operations/request.ts";
import { perform } from "./operations/run.ts";
import { Cancelled, CommandError, type Terminal } from "./terminal.ts";

type Decision = "approve" | "reject";

/** A command that decides an approval: it shows what is asked, asks for a yes, and decides exactly what was shown. */
export function decisionCommand(decision: Decision): {
  readonly declared: Declared;
  run(args: readonly string[], terminal: Terminal): Promise<number>;
} {
  const operation = operations[`approvals.${decision}`];
  const values = valueFlags(operation);
  const declared: Declared = {
    usage: `approvals ${decision} <approval> [options]`,
    about: `Shows what is asked, why, its risk, and how far the agent can be trusted, then asks whether to ${decision} exactly that.
<approval> is an approval (apr_…) or the task that waits for it (tsk_…). The digest of what was shown goes with the decision: what has
changed in between is not decided.`,
    flags: [
      ...values,
      { name: "yes", short: "y", boolean: true, description: `${decision}s without confirmation` },
      ...callFlags(operation),
    ],
    positionals: ["approval"],
    examples:
      decision === "approve"
        ? ["aos approvals list --status pending", "aos approvals approve tsk_01jd8x0000000000000000000a"]
        : ['aos approvals reject tsk_01jd8x0000000000000000000a --reason "The budget is not confirmed."'],
  };
  const run = (args: readonly string[], terminal: Terminal): Promise<number> =>
    runDeclared(declared, args, terminal, async (given) => {
      const service = await serviceFor(given);
      const reply = await service.call("GET", `/v1/approvals/${encodeURIComponent(given.argument(0))}`);
      const fault = refused(reply, given, service.access.profile);
      if (fault !== null) return fault;
      const approval = reply.body as ApprovalDetail;
      const parsed = await decided(decision, approval, given);
      const request = await requestOf(operation, parsed, values, terminal, `Usage: aos ${declared.usage}`);
      const exit = await perform(
        { operation, parsed, service, terminal: quiet(given) },
        asShown(request, parsed, approval),
      );
      if (exit === 0 && !isTold(given))
        terminal.stdout.write(
          `${approval.approval_id}: ${decision === "approve" ? "approved" : "rejected"} (aos tasks watch ${approval.task_id} shows its progress)\n`,
        );
      return exit;
    });
  return { declared, run };
}

/** Whether the answer itself is shown; else a line says what was done. */
const isTold = ({ json, parsed }: Given): boolean => json || isSet(parsed, "dry-run");
const quiet = (given: Given): Terminal =>
  isTold(given) ? given.terminal : { ...given.terminal, stdout: { write: () => true } };

/** The call with the digest of what was shown, also where its body is a file. Throws a CommandError where the file names another one. */
function asShown(request: Request, parsed: Parsed, { digest }: ApprovalDetail): Request {
  const file = lastOf(parsed, "file");
  const { raw, json, ...sending } = request.sending;
  const body = (raw === undefined ? json : JSON.parse(raw)) as Record<string, unknown> | null;
  // What is no object is for the service to refuse; a digest that was typed, too.
  if (
    file === undefined ||
    parsed.values.has("digest") ||
    typeof body !== "object" ||
    body === null ||
    Array.isArray(body)
  )
    return request;
  if (body.digest !== undefined && body.digest !== digest)
    throw new CommandError(
      `${file} has the digest ${String(body.digest)}, but the action shown has ${digest}. Nothing was decided. Remove the digest from the file; the one shown is sent.`,
    );
  if (raw === undefined) return { ...request, sending: { ...sending, json: { ...body, digest } } };
  if (body.digest !== undefined) return request;
  return { ...request, sending: { ...sending, raw: withDigest(raw, digest, Object.keys(body).length > 0) } };
}

/** The text of an object with a digest at its end. The rest stays as it is, and where it is: what the service's reader refuses in it is told with its line and column. */
function withDigest(text: string, digest: string, hasFields: boolean): string {
  const end = text.lastIndexOf("}");
  return `${text.slice(0, end)}${hasFields ? ", " : ""}"digest": ${JSON.stringify(digest)}${text.slice(end)}`;
}

/** The arguments with what a decision needs besides: the digest of what was shown, and of a rejection its reason. Throws Cancelled where the answer is no. */
async function decided(decision: Decision, approval: ApprovalDetail, given: Given): Promise<Parsed> {
  const { terminal, parsed, json } = given;
  const screen: Terminal = { ...terminal, isTTY: terminal.showsProgress === true };
  const { allowed, reason } = approval.may_decide;
  const asks = !isSet(parsed, "yes") && !isSet(parsed, "dry-run");
  if (asks || !json) terminal.stderr.write(`${approvalLines(approval, screen).join("\n")}\n`);
  if (!allowed) throw new CommandError(reason ?? "You may not decide this.");
  const values = new Map(parsed.values);
  if (
    asks &&
    decision === "reject" &&
    lastOf(parsed, "reason") === undefined &&
    lastOf(parsed, "file") === undefined &&
    terminal.canAsk
  )
    values.set("reason", [await lineOf("Why not? ", terminal)]);
  if (asks && !(await confirmed(decision === "approve" ? "Approve this action?" : "Reject this action?", terminal)))
    throw new Cancelled("Nothing was decided.");
  if (!values.has("digest") && !values.has("file")) values.set("digest", [approval.digest]);
  return { ...parsed, values };
}
