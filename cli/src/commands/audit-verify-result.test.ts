import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../server/src/testing/app.ts";
import { useWorkerProcess } from "../../../server/src/testing/worker.ts";
import { inProcess } from "../process.fixture.ts";

const run = inProcess("audit verify");

const app = useApp();
const worker = useWorkerProcess(app);
let folder: string;

interface Ended {
  readonly proof: string;
  readonly record: Record<string, unknown>;
  readonly result: Record<string, unknown>;
  readonly task: Record<string, unknown>;
}
/** A completed task and another one, each with the record of its end. */
let one: Ended;
let other: Ended;

async function ended(name: string): Promise<Ended> {
  const { task_id } = await app.dispatch({ require_approval: false });
  // Of the first, the model also said what it held possible.
  const predictions = name === "one" ? { "/qualified": [{ value: true, probability: 0.9 }] } : null;
  const complete: typeof worker.port.complete = (lease, output, features) =>
    worker.port.complete(lease, output, features, predictions);
  await worker.handed({ complete })(task_id);
  const result = (await app.call("GET", `/v1/tasks/${task_id}/result`)).body;
  expect(result).toMatchObject({ status: "completed" });
  const proof = path.join(folder, `${name}.proof`);
  await writeFile(proof, (await app.call("GET", `/v1/audit/events/${result.result_ref}/proof`)).text);
  const record = (await app.call("GET", `/v1/audit/events/${result.result_ref}`)).body;
  return { proof, record, result, task: (await app.call("GET", `/v1/tasks/${task_id}`)).body };
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "aos-verify-result-"));
  one = await ended("one");
  other = await ended("other");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function verify(result: string, { record = JSON.stringify(one.record), more = [] as string[] } = {}) {
  const files = { record: path.join(folder, "record.json"), result: path.join(folder, "result.json") };
  await Promise.all([writeFile(files.record, record), writeFile(files.result, result)]);
  let out = "";
  const stream = { write: (part: string) => (out += part) };
  const args = [
    one.proof,
    "--key",
    one.record.log_key as string,
    "--record",
    files.record,
    "--result",
    files.result,
    ...more,
  ];
  return { code: await run(args, { stdout: stream, stderr: stream, env: {}, isTTY: false }), out };
}

describe("a result, held to the record of its task's end, offline", () => {
  it("is verified, however it is indented, and with it the input where the whole task is given", async () => {
    const { code, out } = await verify(JSON.stringify(one.result, null, 2));
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(
        `Result verified. State, output, failure and trust score of ${one.task.task_id} match this record`,
      ),
    ]);
    expect(await verify(JSON.stringify(one.task))).toEqual({ code: 0, out: expect.stringContaining("and its input,") });
    const { out: json } = await verify(JSON.stringify(one.task), { more: ["--json"] });
    expect(JSON.parse(json)).toMatchObject({
      verified: true,
      result: { verified: true, task_id: one.task.task_id, input: true },
    });
  });

  it.each([
    ["output", { reason: "Forged." }],
    ["status", "failed"],
    ["trust_score", 0.9999],
    ["predictions", { "/qualified": [{ value: true, probability: 0.1 }] }],
    ["predictions", null],
    ["failure", { code: "forged", detail: "It was not." }],
  ])("is not verified with another %s", async (name, value) => {
    const { code, out } = await verify(JSON.stringify({ ...one.result, [name]: value }));
    expect([code, out]).toEqual([
      1,
      expect.stringContaining("Result NOT verified: the result is not the one that the log holds"),
    ]);
  });

  it("is not verified with another input, of another task, without a member, or with one that occurs twice", async () => {
    const said = async (result: object | string) =>
      (await verify(typeof result === "string" ? result : JSON.stringify(result))).out;
    expect(await said({ ...one.task, input: { lead_id: "ld_forged" } })).toContain(
      "the input is not the one that the log holds",
    );
    expect(await said(other.result)).toContain("the record is of another task");
    const { trust_score: _left, ...rest } = one.result;
    expect(await said(rest)).toContain("it has no trust_score");
    expect(
      await said(JSON.stringify(one.result).replace('"output":', '"output":{"reason":"Shown."},"output":')),
    ).toContain("occurs twice");
    expect(JSON.parse((await verify(JSON.stringify(other.result), { more: ["--json"] })).out)).toMatchObject({
      verified: true,
      result: { verified: false },
    });
  });

  it("needs the openings of the record, and takes none that were made up", async () => {
    const result = JSON.stringify(one.result);
    const without = await verify(result, { record: JSON.stringify({ ...one.record, openings: {} }) });
    expect([without.code, without.out]).toEqual([1, expect.stringContaining("the opening of the result is missing")]);
    const forged = { ...one.record, openings: { response: "0".repeat(32) } };
    expect((await verify(result, { record: JSON.stringify(forged) })).code).toBe(1);
    const leaf = await verify(result, { record: one.record.leaf_data as string });
    expect([leaf.code, leaf.out]).toEqual([2, expect.stringContaining("--result needs the record's openings")]);
  });
});
