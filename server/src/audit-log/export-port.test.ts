import { generateKeyPairSync } from "node:crypto";
import { emptyRoot, openManifest, parseVerifierKey, readCheckpointUnverified, toBase64 } from "@aos/proof";
import { describe, expect, it } from "vitest";
import { editLog, exportPort } from "../features/audit/testing.ts";
import { useApp } from "../testing/app.ts";
import { eventually } from "../testing/tasks.ts";
import { createExportPort } from "./export-port.ts";
import { createSigner } from "./index.ts";

describe("what exports need of the log", () => {
  const app = useApp();
  const signer = createSigner(generateKeyPairSync("ed25519").privateKey);
  const port = () => createExportPort({ pool: app.pool, installation: "aos.example", signer });
  const scope = (environment: "development" | "staging") => ({ organization: "default", environment });
  const manifest = {
    export: "exp_1",
    format: "csv",
    schema_version: "aos-audit-csv v1",
    filter: {},
    rows: 0,
    bytes: 0,
    sha256: "0".repeat(64),
    origin: "aos.example/default/development",
    tree_size: 0,
    root: toBase64(emptyRoot),
  } as const;

  it("signs a manifest under the key of the log that it names, and not under that of another log", async () => {
    const note = await port().sign(manifest);
    expect(await openManifest(note, parseVerifierKey(port().logKey(scope("development"))))).toEqual(manifest);
    await expect(openManifest(note, parseVerifierKey(port().logKey(scope("staging"))))).rejects.toThrow(
      "the signatures are of",
    );
  });

  it("tells the newest head as the checkpoint has it, earlier ones as they were, and that of a log in which nothing stands", async () => {
    const port = await exportPort(app);
    const empty = { origin: "test/nobody/development", size: 0, root: toBase64(emptyRoot) };
    expect(await port.head({ organization: "nobody", environment: "development" }, 0)).toEqual(empty);
    const heads = new Map<number, unknown>();
    for (let i = 0; i < 3; i++) {
      await app.dispatch();
      const newest = await eventually(async () => {
        const head = await port.head(scope("development"), await port.size(scope("development")));
        const { rows } = await app.pool.query(
          "select checkpoint from audit_logs where organization = 'default' and environment = 'development'",
        );
        const { origin, size, root } = readCheckpointUnverified(rows[0].checkpoint);
        expect(head).toEqual({ origin, size, root: toBase64(root) });
        expect([...heads.keys()]).not.toContain(size);
        return head;
      });
      heads.set(newest.size, newest);
    }
    for (const [size, head] of heads) expect(await port.head(scope("development"), size)).toEqual(head);
    await expect(port.head(scope("development"), 1_000_000)).rejects.toThrow(
      "when the export was asked for, it had 1000000",
    );
  });

  it("tells no head that this service did not sign, and none that does not lead to one", async () => {
    const port = await exportPort(app);
    const copy = { organization: "default", environment: "production" } as const;
    const copied = async (table: string, columns: string): Promise<void> =>
      editLog(
        app,
        `insert into ${table} (environment, ${columns}) select 'production', ${columns} from ${table} where environment = 'development'`,
      );
    await copied("audit_tiles", "organization, level, index, data");
    await copied(
      "audit_logs",
      "organization, origin, tree_size, root, checkpoint, last_xid, last_n, event_sequence, event_xid, event_n, updated_at",
    );
    const size = await port.size(copy);
    expect(await port.head(copy, size - 1)).toMatchObject({ size: size - 1 });
    await editLog(
      app,
      "update audit_tiles set data = overlay(data placing '\\x00' from 33 for 1) where environment = 'production'",
    );
    await expect(port.head(copy, size - 1)).rejects.toThrow("do not lead to its signed head");
    await expect(port.leafHashes(copy, 0, size + 1)).rejects.toThrow(`no hash of its record at place ${size}`);
    await editLog(app, "delete from audit_tiles where environment = 'production'");
    await expect(port.subtrees(copy, size)).rejects.toThrow("The log lacks hashes");
    await editLog(
      app,
      "update audit_logs set checkpoint = replace(checkpoint, E'\\n' || tree_size || E'\\n', E'\\n1\\n') where environment = 'production'",
    );
    await expect(port.head(copy, 1)).rejects.toThrow("is not signed by this service");
  });
});
