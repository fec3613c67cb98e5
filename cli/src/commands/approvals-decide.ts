import { operations } from "@aos/sdk/operations";
import { type ApprovalDetail, approvalLines } from "../approval-text.ts";
import type { AosCommand, Given } from "../command.ts";
import { serviceFor } from "../http.ts";
import { callOptions, valueOptions } from "../operations/options.ts";
import { type Request, requestOf } from "../operations/request.ts";
import { perform } from "../operations/run.ts";
import { refused } from "../problems.ts";
import { confirmed, lineOf } from "../prompt.ts";
import { Cancelled, CommandError, type Terminal } from "../terminal.ts";

type Decision = "approve" | "reject";

/** `aos approvals approve` and `aos approvals reject`: shows what is asked, asks for a yes, and decides exactly what was shown. */
export default (command: AosCommand): AosCommand => {
  const decision = command.name() as Decision;
  const operation = operations[`approvals.${decision}`];
  return command
    .description(
      `Shows what is asked, why, its risk, and how far the agent can be trusted, then asks whether to ${decision}
exactly that. <approval> is an approval (apr_…) or the task that waits for it (tsk_…). The digest of what was
shown is sent with the decision, so that an action that changed in between is not decided.`,
    )
    .addOptions(valueOptions(operation))
    .option("-y, --yes", `${decision}s without confirmation`)
    .addOptions(callOptions(operation))
    .serviceOptions()
    .examples(
      ...(decision === "approve"
        ? ["aos approvals list --status pending", "aos approvals approve tsk_01jd8x0000000000000000000a"]
        : ['aos approvals reject tsk_01jd8x0000000000000000000a --reason "The budget is not confirmed."']),
    )
    .run((given) => decide(decision, given));
};

async function decide(decision: Decision, given: Given): Promise<number> {
  const { terminal, argument } = given;
  const operation = operations[`approvals.${decision}`];
  const service = await serviceFor(given);
  const reply = await service.call("GET", `/v1/approvals/${encodeURIComponent(argument(0))}`);
  const fault = refused(reply, given, service.access.profile);
  if (fault !== null) return fault;
  const approval = reply.body as ApprovalDetail;
  const decided = await confirm(decision, approval, given);
  const request = await requestOf(operation, decided, valueOptions(operation));
  const exit = await perform(
    { ...decided, operation, service, terminal: quiet(given) },
    asShown(request, decided, approval),
  );
  if (exit === 0 && !showsReply(given))
    terminal.stdout.write(
      `${approval.approval_id}: ${decision === "approve" ? "approved" : "rejected"} (aos tasks watch ${approval.task_id} shows its progress)\n`,
    );
  return exit;
}

/** Whether the answer itself is shown; else a line says what was done. */
const showsReply = ({ json, options }: Given): boolean => json || options.dryRun;
const quiet = (given: Given): Terminal =>
  showsReply(given) ? given.terminal : { ...given.terminal, stdout: { write: () => true } };

/** The call with the digest of what was shown, also where its body is a file. Throws a CommandError where the file names another one. */
function asShown(request: Request, { options }: Given, { digest }: ApprovalDetail): Request {
  const file = options.file;
  const { raw, json, ...sending } = request.sending;
  const body: unknown = raw === undefined ? json : JSON.parse(raw);
  // What is no object is for the service to refuse; a digest that was typed, too.
  if (
    file === undefined ||
    options.digest !== undefined ||
    typeof body !== "object" ||
    body === null ||
    Array.isArray(body)
  )
    return request;
  const members: Readonly<Record<string, unknown>> = { ...body };
  if (members.digest !== undefined && members.digest !== digest)
    throw new CommandError(
      `${file} has the digest ${String(members.digest)}, but the action shown has ${digest}. Nothing was decided. Remove the digest from the file; the one shown is sent.`,
    );
  if (raw === undefined) return { ...request, sending: { ...sending, json: { ...members, digest } } };
  if (members.digest !== undefined) return request;
  return { ...request, sending: { ...sending, raw: withDigest(raw, digest, Object.keys(members).length > 0) } };
}

/** Adds the digest at the end of a JSON object. The rest stays where it is, so that lines and columns in errors are those of the file. */
function withDigest(text: string, digest: string, hasFields: boolean): string {
  const end = text.lastIndexOf("}");
  return `${text.slice(0, end)}${hasFields ? ", " : ""}"digest": ${JSON.stringify(digest)}${text.slice(end)}`;
}

/** The arguments with what a decision needs besides: the digest of what was shown, and of a rejection its reason. Throws Cancelled where the answer is no. */
async function confirm(decision: Decision, approval: ApprovalDetail, given: Given): Promise<Given> {
  const { terminal, options, json } = given;
  const screen: Terminal = { ...terminal, isTTY: terminal.showsProgress === true };
  const { allowed, reason } = approval.may_decide;
  const asks = !options.yes && !options.dryRun;
  if (asks || !json) terminal.stderr.write(`${approvalLines(approval, screen).join("\n")}\n`);
  if (!allowed) throw new CommandError(reason ?? "You may not decide this.");
  const { file, digest = file === undefined ? approval.digest : undefined } = options;
  const asksWhy =
    asks && decision === "reject" && options.reason === undefined && file === undefined && terminal.canAsk;
  const typed = asksWhy ? { reason: await lineOf("Why not? ", terminal) } : {};
  if (asks && !(await confirmed(decision === "approve" ? "Approve this action?" : "Reject this action?", terminal)))
    throw new Cancelled("Nothing was decided.");
  return { ...given, options: { ...options, ...typed, digest } };
}
