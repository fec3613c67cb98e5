import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../../server/src/testing/app.ts";
import { inProcess } from "../process.fixture.ts";

const run = inProcess("audit verify");

const app = useApp();
let folder: string;
/** The answers of the service about a call that was made and about one that was refused, with their proofs. */
let answers: {
  readonly [of in "made" | "refused"]: { readonly record: Record<string, unknown>; readonly proof: string };
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "aos-verify-record-"));
  const made = await app.call("POST", "/v1/agents/sales/tasks", {
    body: { task: "summarize_lead", lead_id: "ld_1001" },
  });
  expect(made.status).toBe(202);
  const refused = await app.call("POST", "/v1/admin/keys", { key: "viewer", body: { name: "none", role: "viewer" } });
  expect(refused.status).toBe(403);
  const read = async (ref: string, name: string) => {
    const proof = path.join(folder, `${name}.proof`);
    await writeFile(proof, (await app.call("GET", `/v1/audit/events/${ref}/proof`)).text);
    return { record: (await app.call("GET", `/v1/audit/events/${ref}`)).body, proof };
  };
  answers = {
    made: await read(made.headers.get("audit-ref") as string, "made"),
    refused: await read(refused.headers.get("audit-ref") as string, "refused"),
  };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function verified(
  of: keyof typeof answers,
  text: string,
  ...more: string[]
): Promise<{ code: number; out: string }> {
  const file = path.join(folder, "record.json");
  await writeFile(file, text);
  let out = "";
  const stream = { write: (part: string) => (out += part) };
  const { proof, record } = answers[of];
  const args = [proof, "--record", file, "--key", record.log_key as string, ...more];
  const code = await run(args, { stdout: stream, stderr: stream, env: {}, isTTY: false });
  return { code, out };
}
const asText = (of: keyof typeof answers, changes: object = {}): string =>
  JSON.stringify({ ...answers[of].record, ...changes });

/** Another value of the same kind. */
const other = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(1);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, other(one)]));
  return typeof value === "number" ? value + 1 : value === null ? "x" : `${value}x`;
};

describe.each(["made", "refused"] as const)("the record of a call that was %s, as the service answers it", (of) => {
  it("is verified, and the leaf is shown with what it says nothing of", async () => {
    const { leaf_data } = answers[of].record;
    const { code, out } = await verified(of, asText(of));
    expect([code, out.split("\n")]).toEqual([
      0,
      [
        expect.stringMatching(/^Verified\. The record is number/),
        leaf_data,
        "Not in the log, so not verified: openings.",
        "",
      ],
    ]);
    expect(JSON.parse((await verified(of, asText(of), "--json")).out)).toMatchObject({
      verified: true,
      leaf_data,
      unproved: ["openings"],
    });
  });

  it("is not verified where any of what is shown of it was changed", async () => {
    const names = Object.keys(answers[of].record).filter((name) => !["openings", "leaf_data"].includes(name));
    expect(names).toContain("decision");
    for (const name of names) {
      const { code, out } = await verified(of, asText(of, { [name]: other(answers[of].record[name]) }));
      expect([code, out]).toEqual([
        1,
        `NOT verified. inclusion: what stands as ${name} differs from the log's record.\n`,
      ]);
    }
  });

  it("is not verified where it shows something else under the leaf's own name of it", async () => {
    const { code, out } = await verified(of, asText(of, { outcome: "failed" }));
    expect([code, out]).toEqual([1, expect.stringContaining("what stands as outcome differs from the log's record")]);
  });

  it("is verified as far as it is shown, and names what was added to it", async () => {
    const { audit_ref, leaf_data } = answers[of].record;
    const { code, out } = await verified(of, JSON.stringify({ audit_ref, leaf_data, reviewed: "by \u001b[2J all" }));
    expect([code, out]).toEqual([0, expect.stringContaining("Not in the log, so not verified: reviewed.")]);
  });
});

describe("a file that gives a name twice", () => {
  const twice = "occurs twice in one object of the file";

  it("is not verified as leaf data, though the last of both is what the log holds", async () => {
    const leaf = answers.refused.record.leaf_data as string;
    expect((await verified("refused", leaf)).code).toBe(0);
    const forged = leaf.replace('"outcome":', '"outcome":"allowed","outcome":');
    expect(await verified("refused", forged)).toEqual({
      code: 1,
      out: `NOT verified. inclusion: outcome ${twice}, so the file contradicts itself.\n`,
    });
  });

  it("is not verified as an answer either, however the name is written and however deep it stands", async () => {
    const forged = [
      asText("refused").replace('"decision":', '"decision":"allowed","decision":'),
      asText("refused").replace('"decision":', '"\\u0064ecision":"allowed","decision":'),
      asText("refused").replace('"verdict":', '"verdict":"allow","verdict":'),
    ];
    for (const text of forged)
      expect(await verified("refused", text)).toEqual({ code: 1, out: expect.stringContaining(twice) });
  });
});
