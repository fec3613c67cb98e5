import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestOf, packArchive, unpackArchive } from "./archive.ts";
import { correctChecksum, hostileArchives, hostileFiles } from "./archives.fixture.ts";
import { bytesOf, faultOf, sampleFiles, signArchive, signFiles } from "./bundle.fixture.ts";
import { verifyBundle } from "./bundle.ts";
import { BundleFault } from "./faults.ts";
import { gzip } from "./gzip.ts";
import { folderThatIsFile } from "./paths.ts";

const segment = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,11}$/);
const filePath = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));
const files = fc
  .uniqueArray(fc.tuple(filePath, fc.uint8Array({ maxLength: 1_500 })), {
    minLength: 1,
    maxLength: 20,
    selector: ([name]) => name,
  })
  .filter((entries) => {
    const paths = new Set(entries.map(([name]) => name));
    return entries.every(([name]) => folderThatIsFile(name, (folder) => paths.has(folder)) === null);
  });

function isRefused(archive: Uint8Array): boolean {
  try {
    unpackArchive(archive);
    return false;
  } catch (error) {
    if (error instanceof BundleFault) return true;
    throw error;
  }
}

function inFolder(act: (folder: string) => void): void {
  const folder = mkdtempSync(path.join(tmpdir(), "aos-bundle-"));
  try {
    act(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("packing", () => {
  it("gives the same files back, whatever they are", () => {
    fc.assert(
      fc.property(files, (entries) => {
        const unpacked = unpackArchive(packArchive(new Map(entries)));
        expect([...unpacked.keys()]).toEqual(entries.map(([name]) => name).sort());
        for (const [name, contents] of entries) expect(Buffer.compare(unpacked.get(name)!, contents)).toBe(0);
      }),
    );
  });

  it("gives the same bytes, in whatever order the files come", () => {
    fc.assert(
      fc.property(files, (entries) => {
        expect(packArchive(new Map(entries.toReversed())).equals(packArchive(new Map(entries)))).toBe(true);
      }),
    );
  });

  // The same bytes as npm modern-tar 0.8.6 writes. Another tar would refuse every bundle that was ever published.
  it("writes the tar on which every signature so far stands", () => {
    expect(digestOf(gunzipSync(packArchive(sampleFiles())))).toBe(
      "0e1ce24edfab02a198e2dfde036fbf1a9d189067e4933466d979324db81441b9",
    );
  });

  it("writes what the tar of the system reads", () => {
    inFolder((folder) => {
      const archive = path.join(folder, "bundle.tar.gz");
      writeFileSync(archive, packArchive(sampleFiles()));
      const listed = execFileSync("tar", ["-tzf", archive], { encoding: "utf8" });
      expect(listed.trim().split("\n")).toEqual([...sampleFiles().keys()].sort());
      execFileSync("tar", ["-xzf", archive, "-C", folder]);
      for (const [name, contents] of sampleFiles()) expect(readFileSync(path.join(folder, name))).toEqual(contents);
    });
  });

  it.each([
    ["path_dot_segment", "../evil"],
    ["path_upper_case", "README.md"],
    ["path_nul", "a\0b"],
    ["path_too_long", "a".repeat(101)],
    ["path_is_folder", "readme.md/a"],
  ])("refuses a path with the fault %s", (code, name) => {
    expect(faultOf(() => packArchive(sampleFiles({ [name]: "x" })))).toMatchObject({ code, place: { at: name } });
  });

  it("holds the bounds of files and bytes", () => {
    const many = (count: number) => new Map(Array.from({ length: count }, (_, at) => [`f${at}`, bytesOf("x")]));
    expect(unpackArchive(packArchive(many(500))).size).toBe(500);
    expect(faultOf(() => packArchive(many(501))).code).toBe("too_many_files");
    expect(faultOf(() => packArchive(new Map())).code).toBe("no_files");
    const MiB = 1 << 20;
    const zeros = (...sizes: number[]) => new Map(sizes.map((size, at) => [`f${at}`, Buffer.alloc(size)]));
    expect(unpackArchive(packArchive(zeros(8 * MiB, 7 * MiB))).size).toBe(2);
    expect(faultOf(() => packArchive(zeros(8 * MiB + 1))).code).toBe("entry_too_large");
    expect(faultOf(() => packArchive(zeros(8 * MiB, 8 * MiB))).code).toBe("unpacked_too_large");
  });

  it("unpacks within tighter bounds if told so", () => {
    const archive = packArchive(sampleFiles());
    expect(faultOf(() => unpackArchive(archive, { files: 4 })).code).toBe("too_many_files");
    expect(faultOf(() => unpackArchive(archive, { unpacked: 4_096 })).code).toBe("unpacked_too_large");
    expect(faultOf(() => unpackArchive(archive, { archive: 100 })).code).toBe("archive_too_large");
    expect(faultOf(() => unpackArchive(archive, { file: 10 })).code).toBe("entry_too_large");
  });
});

describe("unpacking", () => {
  // The checksum is corrected, so that the change itself is looked at.
  it("accepts no tar but the one that packing its files gives, whatever byte is changed", () => {
    const tar = gunzipSync(packArchive(sampleFiles()));
    fc.assert(
      fc.property(fc.nat(tar.length - 1), fc.nat(255), (at, byte) => {
        const changed = Buffer.from(tar);
        changed[at] = byte;
        const start = at - (at % 512);
        const header = changed.subarray(start, start + 512);
        if (header.toString("latin1", 257, 262) === "ustar") correctChecksum(header);
        const archive = gzip(changed);
        const refused = isRefused(archive);
        if (!refused) expect(gunzipSync(packArchive(unpackArchive(archive))).equals(changed)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("a genuine signature over a hostile archive", () => {
  it.each(hostileArchives)("does not help $name", ({ code, make }) => {
    expect(faultOf(() => verifyBundle(signArchive(make()))).code).toBe(code);
  });

  it.each(hostileFiles)("does not help $name", ({ code, files: made }) => {
    expect(faultOf(() => verifyBundle(signFiles(made()))).code).toBe(code);
  });

  it("does not help files other than those that the statement names", () => {
    const other = (named: Map<string, Uint8Array>, packed: Map<string, Uint8Array>) =>
      faultOf(() => verifyBundle(signArchive(packArchive(packed), named)));
    const more = sampleFiles({ "extra.txt": "x" });
    expect(other(sampleFiles(), more)).toMatchObject({ code: "file_unnamed", place: { at: "extra.txt" } });
    expect(other(more, sampleFiles())).toMatchObject({ code: "file_missing", place: { at: "extra.txt" } });
    expect(other(sampleFiles(), sampleFiles({ "readme.md": "x" }))).toMatchObject({
      code: "file_digest",
      place: { at: "readme.md" },
    });
  });

  // In a process of its own: the peak of memory cannot be taken back, and other tests have theirs.
  it("takes no more memory than the bounds allow", () => {
    inFolder((folder) => {
      for (const [at, { make }] of hostileArchives.entries()) writeFileSync(path.join(folder, String(at)), make());
      const script = path.join(import.meta.dirname, "memory.fixture.ts");
      const printed = execFileSync(process.execPath, [script, folder], { encoding: "utf8" });
      const { refused, growth } = JSON.parse(printed) as { refused: number; growth: number };
      expect(refused).toBe(hostileArchives.length);
      expect(growth).toBeLessThan(96 << 20);
    });
  });
});
