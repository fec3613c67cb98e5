import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { describe as describeOperation } from "../../server/src/kernel/operation-seal.ts";

const folder = new URL("../src/api/", import.meta.url);

/** The calls that the portal's sources make: `read("/v1/…")`, `get("/v1/…")`, `send("post", "/v1/…")`. */
function calls(): { file: string; call: string }[] {
  return readdirSync(folder).flatMap((file) => {
    const text = readFileSync(new URL(file, folder), "utf8");
    const reads = [...text.matchAll(/\b(?:read|get|getTagged)(?:<[^>]*>)?\(\s*"(\/v1\/[^"]+)"/g)].map(
      ([, path]) => `GET ${path}`,
    );
    const changes = [...text.matchAll(/\bsend\(\s*"(post|put|patch|delete)",\s*"(\/v1\/[^"]+)"/g)].map(
      ([, verb = "", path]) => `${verb.toUpperCase()} ${path}`,
    );
    return [...reads, ...changes].map((call) => ({ file, call }));
  });
}

describe("what the portal calls", () => {
  const operations = new Set(
    publishedOperations()
      .map(describeOperation)
      .map(({ method, path }) => `${method} ${path}`),
  );

  it("is in the registry, each of it", () => {
    const unknown = calls().filter(({ call }) => !operations.has(call));
    expect(calls().length).toBeGreaterThan(10);
    expect(unknown).toEqual([]);
  });

  it("is called through one door: no other file of the portal names a path of the interface as a call", () => {
    const src = new URL("../src/", import.meta.url);
    const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
      (file) => /\.tsx?$/.test(file) && !file.startsWith("api/"),
    );
    const doors = files.filter((file) =>
      /\b(fetch|XMLHttpRequest|EventSource|WebSocket|sendBeacon)\b\s*\(/.test(readFileSync(new URL(file, src), "utf8")),
    );
    expect(doors).toEqual([]);
  });
});
