import { randomUUID } from "node:crypto";
import { type Answered, auditRefOf, type Client, dispatchPath } from "../client.ts";

/** A dispatch as its client knows it: what was sent, and what was answered, if anything was. */
export interface Sent {
  readonly idempotencyKey: string;
  readonly body: { readonly task: string; readonly lead_id: string; readonly require_approval: boolean };
  /** The answer's bytes, and the reference of the call's record. */
  acknowledged: { readonly text: string; readonly taskId: string; readonly auditRef: string } | null;
}

/** What the clients of the service hold it to. Whatever stands here was answered; nothing here comes from the service's own database. */
export class Ledger {
  readonly sent: Sent[] = [];
  /** Approvals that were answered with 200, by task, with the references of their records. */
  readonly approved = new Map<string, string>();
  /** References of records of answered reads. */
  readonly read: string[] = [];
  /** Answers that no caller should have got. */
  readonly faults: string[] = [];
  /** The newest checkpoint that an auditor was given. */
  checkpoint: string | null = null;

  get acknowledged(): Sent[] {
    return this.sent.filter((one) => one.acknowledged !== null);
  }

  /** Sends a new dispatch and notes what comes back. Answers false where no answer came. */
  async dispatch(call: Client): Promise<boolean> {
    const number = this.sent.length;
    const body = { task: "qualify_lead", lead_id: `ld_${1001 + (number % 40)}`, require_approval: number % 4 !== 0 };
    const one: Sent = { idempotencyKey: randomUUID(), body, acknowledged: null };
    this.sent.push(one);
    return (await this.send(call, one)) !== null;
  }

  /** Sends a dispatch, again perhaps. Answers null where no answer came. */
  async send(call: Client, one: Sent): Promise<Answered | null> {
    const answered = this.#noted(
      await answerOf(
        call("POST", dispatchPath, { body: one.body, headers: { "idempotency-key": one.idempotencyKey } }),
      ),
    );
    if (answered?.status === 202) {
      one.acknowledged ??= { text: answered.text, taskId: answered.body.task_id, auditRef: auditRefOf(answered) };
    }
    return answered;
  }

  /** Approves what is shown of a task; an approval whose answer was lost may have been recorded, so "already decided" counts as approved too. */
  async approve(call: Client, taskId: string): Promise<boolean> {
    const shown = this.#noted(await answerOf(call("GET", `/v1/approvals/${taskId}`)));
    if (shown === null) return false;
    const answered = await answerOf(
      call("POST", `/v1/approvals/${taskId}/approve`, { body: { digest: shown.body.digest } }),
    );
    const decided = answered?.status === 409 && answered.body.code === "already_decided";
    if (answered && (decided || answered.status === 200)) this.approved.set(taskId, auditRefOf(answered));
    else this.#noted(answered);
    return answered !== null;
  }

  /** Reads a task and the log's checkpoint. */
  async look(call: Client, taskId: string): Promise<boolean> {
    const task = this.#noted(await answerOf(call("GET", `/v1/tasks/${taskId}`)));
    if (task?.status === 200) this.read.push(auditRefOf(task));
    const head = this.#noted(await answerOf(call("GET", "/v1/audit/checkpoint")));
    if (head?.status === 200) this.checkpoint = head.text;
    return task !== null && head !== null;
  }

  /** A process that ends may say 503 with its last breath; anything else than that or success is a fault. */
  #noted(answered: Answered | null): Answered | null {
    if (answered && answered.status >= 300 && answered.status !== 503)
      this.faults.push(`${answered.status} ${answered.text}`);
    return answered;
  }
}

/** The answer, or null where the connection ended before it came. */
async function answerOf(call: Promise<Answered>): Promise<Answered | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof TypeError) return null; // fetch: the network failed
    throw error;
  }
}

/** Clients at work: dispatchers over all services, approvers, and a reader; each goes on until a call of it gets no answer. Settles when all have stopped. */
export async function load(ledger: Ledger, calls: readonly Client[]): Promise<void> {
  const approving = new Set(ledger.approved.keys());
  const dispatcher = async (call: Client): Promise<void> => {
    while (await ledger.dispatch(call));
  };
  const pickUndecided = (): string | undefined => {
    const one = ledger.sent.findLast(
      ({ body, acknowledged }) => acknowledged && body.require_approval && !approving.has(acknowledged.taskId),
    );
    return one?.acknowledged?.taskId;
  };
  const approver = async (call: Client): Promise<void> => {
    for (;;) {
      const task = pickUndecided();
      if (task !== undefined) approving.add(task);
      if (!(await (task === undefined ? ledger.dispatch(call) : ledger.approve(call, task)))) return;
    }
  };
  const reader = async (call: Client): Promise<void> => {
    for (;;) {
      const task = ledger.sent.findLast(({ acknowledged }) => acknowledged)?.acknowledged?.taskId;
      if (!(await (task === undefined ? ledger.dispatch(call) : ledger.look(call, task)))) return;
    }
  };
  const each = (most: number, work: (call: Client) => Promise<void>): Promise<void>[] =>
    Array.from({ length: most }, (_, i) => work(calls[i % calls.length] as Client));
  await Promise.all([...each(12, dispatcher), ...each(4, approver), ...each(2, reader)]);
}
