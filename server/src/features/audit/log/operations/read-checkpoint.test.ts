import { emptyRoot, fromBase64, openCheckpoint, toHex, verifyConsistency } from "@aos/proof";
import { describe, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { trustedKey, untilSequenced } from "../../testing.ts";

describe("the checkpoint of the audit log", () => {
  const app = useApp();
  const checkpoint = (query = "", options = {}) =>
    app.call("GET", `/v1/audit/checkpoint${query}`, { key: "auditor", ...options });
  const sequencedCall = async () => untilSequenced(app, (await app.dispatch()).audit_ref);
  /** Reads old size, proof and checkpoint, as a witness takes them. */
  const parse = (text: string) => {
    const cut = text.indexOf("\n\n");
    const [old, ...hashes] = text.slice(0, cut).split("\n");
    return { old, hashes: hashes.map((hash) => fromBase64(hash) as Uint8Array), note: text.slice(cut + 2) };
  };

  it("is signed under the name of the environment's log, and covers what was proved before", async () => {
    const key = await trustedKey(app);
    const proof = await sequencedCall();
    const answered = await checkpoint();
    expect(answered.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const head = await openCheckpoint(answered.text, key);
    expect(head.origin).toMatch(/^[a-z]{14}\/default\/development$/);
    expect(head.size).toBeGreaterThan(Number(/^index (\d+)$/m.exec(proof)?.[1]));
  });

  it("comes with the proof that the log still contains all that a kept one covered", async () => {
    const key = await trustedKey(app);
    await sequencedCall();
    const kept = await openCheckpoint((await checkpoint()).text, key);
    for (let i = 0; i < 5; i++) await sequencedCall();
    const { old, hashes, note } = parse((await checkpoint(`?from=${kept.size}`)).text);
    const now = await openCheckpoint(note, key);
    expect(old).toBe(`old ${kept.size}`);
    expect(now.size).toBeGreaterThan(kept.size + 4);
    expect(verifyConsistency(kept, now, hashes)).toBe(true);
    expect(verifyConsistency({ ...kept, root: emptyRoot }, now, hashes)).toBe(false);
  });

  it("needs no proof from the empty log", async () => {
    await sequencedCall();
    const { old, hashes, note } = parse((await checkpoint("?from=0")).text);
    expect([old, hashes]).toEqual(["old 0", []]);
    expect((await openCheckpoint(note, await trustedKey(app))).size).toBeGreaterThan(0);
  });

  it("is there for a log that holds nothing yet: size 0 and the root of the empty tree", async () => {
    const answered = await checkpoint("", { environment: "production" });
    const key = await trustedKey(app, "production");
    const head = await openCheckpoint(answered.text, key);
    expect([head.origin, head.size, toHex(head.root)]).toEqual([key.name, 0, toHex(emptyRoot)]);
  });

  it("is 409 log_shorter_than_requested from a size that the log has not reached", async () => {
    const { status, body } = await checkpoint("?from=1000000");
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: "log_shorter_than_requested",
      detail: expect.stringContaining("no head of 1000000 records"),
    });
  });

  it("refuses a size that is none, naming the parameter", async () => {
    for (const from of ["-1", "1.5", "x", ""]) {
      const { status, body } = await checkpoint(`?from=${from}`);
      expect(status, from).toBe(400);
      expect(body.errors).toMatchObject([{ parameter: "from" }]);
    }
  });

  it("is for auditors and admins", async () => {
    expect((await checkpoint("", { key: "builder" })).body).toMatchObject({ status: 403, missing_scope: "audit:read" });
  });
});
