import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../server/src/testing/app.ts";
import { useWorkerProcess } from "../../../server/src/testing/worker.ts";
import { inProcess } from "../process.fixture.ts";

const apply = inProcess("workflows apply");
const diff = inProcess("workflows diff");
const start = inProcess("workflows run");
const watch = inProcess("workflows watch");

const app = useApp();
const process = useWorkerProcess(app);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "aos-workflows-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const text = (name: string, double = "input.seats * 2.0"): string => `# kept by hand
workflow: ${name}
input: { type: object, required: [seats], properties: { seats: { type: number } } }
steps:
  - id: double
    set: { seats: ${double} }
output: { seats: steps.double.output.seats }
`;
async function fileOf(name: string, content: string): Promise<string> {
  const file = path.join(folder, `${name}.yaml`);
  await writeFile(file, content);
  return file;
}

/** Runs a command as the shell would, with the key of a builder unless another is given. */
async function ran(command: typeof apply, args: readonly string[], key = app.key("builder")) {
  const written = { out: "", err: "" };
  const status = await command(args, {
    stdin: Readable.from([]),
    stdout: { write: (part: string) => (written.out += part) },
    stderr: { write: (part: string) => (written.err += part) },
    env: { AOS_URL: app.url, AOS_KEY: key, XDG_CONFIG_HOME: folder },
    isTTY: false,
  });
  return { status, ...written };
}

describe("aos workflows apply", () => {
  it("creates the workflow, then changes nothing, and publishes what it applied once", async () => {
    const file = await fileOf("one", text("one"));
    expect(await ran(apply, ["-f", file])).toEqual({ status: 0, out: "one: created (revision 1)\n", err: "" });
    const args = ["-f", file, "--publish", "--note", "The first."];
    expect((await ran(apply, args)).out).toBe("one: unchanged (revision 1)\none: version 1 published\n");
    expect((await ran(apply, args)).out).toBe("one: unchanged (revision 1)\none: version 1 is already live\n");
  });

  it("warns where nobody could approve what the published version asks for", async () => {
    const { secret, memberId } = await app.signedInMember("admin", "staging");
    await app.pool.query("update members set roles = roles - 'staging' where id <> $1", [memberId]);
    const file = await fileOf("alone", text("alone"));
    const { status, out, err } = await ran(apply, ["-f", file, "--publish"], secret);
    expect([status, out]).toEqual([0, "alone: created (revision 1)\nalone: version 1 published\n"]);
    expect(err).toMatch(/^\S+alone\.yaml: warning: Nobody .*could approve .+ \(nobody_could_approve\)\n$/);
  });

  it("saves a draft with errors, tells them by line and column, and publishes nothing", async () => {
    const file = await fileOf("two", text("two", "input.seats % 2"));
    const { status, out, err } = await ran(apply, ["-f", file, "--publish"]);
    expect([status, out]).toEqual([
      1,
      "two: created (revision 1)\ntwo: saved as a draft; it has errors and cannot be published\n",
    ]);
    expect(err).toMatch(/two\.yaml:6:\d+: error: \/steps\/0\/set\/seats .*declare it type: integer/);
  });
});

it("aos workflows diff shows how the draft would change, and ends as diff does", async () => {
  const file = await fileOf("three", text("three"));
  expect((await ran(diff, ["-f", file])).out).toBe("+ three: does not exist yet\n");
  await ran(apply, ["-f", file]);
  expect((await ran(diff, ["-f", file])).status).toBe(0);
  await fileOf("three", text("three", "input.seats * 3.0"));
  const { status, out } = await ran(diff, ["-f", file]);
  expect(status).toBe(1);
  expect(out).toMatch(/~ \/steps\/0\/set\/seats "input.seats \* 2.0" → "input.seats \* 3.0"/);
});

it("aos workflows run waits for the end and shows the steps; aos workflows watch tells them again", async () => {
  await process.worker();
  await ran(apply, ["-f", await fileOf("four", text("four")), "--publish"]);
  const { status, out } = await ran(start, ["four", "--seats", "21", "--wait"]);
  expect([status, out]).toEqual([0, expect.stringMatching(/^wfr_\w+: four, version 1: completed.*\n\nSTEP +KIND/)]);
  expect(out).toContain('output: {"seats":42}');
  const [run] = /wfr_\w+/.exec(out) as unknown as [string];
  expect((await ran(watch, ["four", run])).out).toMatch(/double +completed/);
});
