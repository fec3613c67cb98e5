import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { untilSequenced } from "../../../server/src/features/audit/testing.ts";
import { useApp } from "../../../server/src/testing/app.ts";
import { inProcess } from "../process.fixture.ts";

const run = inProcess("audit verify");
const app = useApp();
let folder: string;
/** The decision record of a task that a person approved. */
let decision: {
  readonly log_key: string;
  readonly records: readonly Record<string, unknown>[];
  readonly votes: readonly Record<string, unknown>[];
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "aos-verify-decision-"));
  const { task_id } = await app.dispatch({ require_approval: true });
  const { digest } = (await app.call("GET", `/v1/approvals/${task_id}`)).body;
  const { secret: key } = await app.member("approver");
  const voted = await app.call("POST", `/v1/approvals/${task_id}/approve`, { key, body: { digest } });
  await untilSequenced(app, voted.headers.get("audit-ref") as string);
  decision = (await app.call("GET", `/v1/audit/tasks/${task_id}`)).body;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function verified(text: string, ...more: string[]): Promise<{ code: number; out: string }> {
  const file = path.join(folder, "decision.json");
  await writeFile(file, text);
  let out = "";
  const stream = { write: (part: string) => (out += part) };
  const args = [file, "--key", decision.log_key, ...more];
  const code = await run(args, { stdout: stream, stderr: stream, env: {}, isTTY: false });
  return { code, out };
}

it("verifies every record of a task's decision record, with its votes", async () => {
  const { code, out } = await verified(JSON.stringify(decision));
  expect([code, out]).toEqual([0, expect.stringMatching(/^Verified\. \d records of tsk_/)]);
  const { code: same, out: json } = await verified(JSON.stringify(decision, null, 2), "--json");
  expect([same, JSON.parse(json)]).toMatchObject([0, { kind: "decision", verified: true, differing: null }]);
});

it("says what was changed: a vote's name, a record's member, a proof, another task", async () => {
  const [first, ...others] = decision.records as [Record<string, unknown>, ...Record<string, unknown>[]];
  const { records: _all, ...head } = decision;
  const changed: readonly (readonly [object, string])[] = [
    [{ ...decision, votes: [{ ...decision.votes[0], actor: "mbr_x" }] }, "the votes are not what the records say"],
    [{ ...head, records: [{ ...first, status: 200 }, ...others] }, "what stands as status differs"],
    [{ ...head, records: [{ ...first, proof: null }, ...others] }, "the file has no proof of it"],
    [{ ...head, records: [first, { ...first, audit_ref: others[0]?.audit_ref }] }, "audit_ref differs"],
    [{ ...decision, votes: [] }, "the votes are not what the records say"],
    [{ ...head, records: [first, first, ...others] }, "stands in the file twice"],
    [{ ...decision, task_id: "tsk_01jd8x0000000000000000000a" }, "is about another task"],
  ];
  for (const [file, finding] of changed) {
    const { code, out } = await verified(JSON.stringify(file));
    expect([code, out]).toEqual([1, expect.stringContaining(finding)]);
  }
  const twice = await verified(JSON.stringify(decision).replace('"votes":', '"votes":[],"votes":'));
  expect([twice.code, twice.out]).toEqual([2, expect.stringContaining('"votes" occurs twice')]);
  const cut = await verified(JSON.stringify(decision).slice(0, -9));
  expect([cut.code, cut.out]).toEqual([2, expect.stringContaining("no whole JSON")]);
});
