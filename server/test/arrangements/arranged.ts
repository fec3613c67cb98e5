import { expect, vi } from "vitest";
import { createMailer } from "../../src/identity/mail.ts";
import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";

/** What a call of an operation needs: ids for its path, a body that is accepted, and the headers without which it is not. */
export interface Arranged {
  readonly params: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Such as `if-match` with the ETag of what was arranged. With `cookie` the call is made by that session, where a test names no key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a batch whose calls are not the items of its body: how many it makes, and how often it writes down something itself, which a dry run leaves out. */
  readonly batch?: { readonly calls: number; readonly notes: number };
}

/** Makes what one successful call of an operation by the admin key of an environment needs. Called again for every call that may change something. */
export type Arrange = (app: TestApp, environment: Environment) => Promise<Arranged>;
/** By operation id. */
export type Arrangements = Readonly<Record<string, Arrange>>;

export const nothing: Arrange = async () => ({ params: {} });

/** A task that waits for people; its id is also its approval's. */
export const waitingTask = async (app: TestApp, environment: Environment): Promise<string> =>
  (await app.dispatch({}, { environment })).task_id;

/** A task whose run asked a question: no worker runs in the services of these tests, so it is written down as one would. */
export const askingTask = async (app: TestApp, environment: Environment): Promise<string> => {
  const task = await waitingTask(app, environment);
  const asked = {
    step_id: "stp_01jd8x00000000000000000000",
    kind: "answer",
    text: "Which plan?",
    options: null,
    asked_at: "2026-11-20T09:30:00.000Z",
  };
  await app.pool.query("update tasks set status = 'input_required', question = $2 where id = $1", [
    task,
    JSON.stringify(asked),
  ]);
  return task;
};

/** A ballot binds itself to what was shown. */
export const ballot =
  (body: object): Arrange =>
  async (app, environment) => {
    const approval = await waitingTask(app, environment);
    const shown = await app.call("GET", `/v1/approvals/${approval}`, { environment });
    return { params: { approval }, body: { ...body, digest: shown.body.digest } };
  };

/** A record of the audit log. */
export const auditRecord: Arrange = async (app, environment) => ({
  params: { audit_ref: (await app.dispatch({}, { environment })).audit_ref },
});

/** A record that the sequencer has reached, so that a busy machine makes no proof late. */
export const sequencedRecord: Arrange = async (app, environment) => {
  const arranged = await auditRecord(app, environment);
  const find = () => app.pool.query("select from audit_leaves where record_id = $1", [arranged.params.audit_ref]);
  await vi.waitFor(async () => expect((await find()).rowCount).toBe(1), { timeout: 20_000, interval: 20 });
  return arranged;
};

/** What a service needs for every operation to succeed: a mail server. No worker runs in the services of these tests, so nobody is sent anything. */
export const withMail = { sendMail: createMailer("smtp://127.0.0.1:9", "service@example.com") } as const;
