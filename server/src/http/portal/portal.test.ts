import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startTestApp, type TestApp } from "../../testing/app.ts";
import { contentSecurityPolicy } from "./headers.ts";
import { PortalSite } from "./site.ts";

const page = "<!doctype html><title>The portal</title>";
const script = `console.log("${"portal ".repeat(200)}");`;
const folder = await mkdtemp(path.join(tmpdir(), "aos-portal-"));
let app: TestApp;

/** A build as scripts/build-portal.ts leaves it. */
async function lay(): Promise<void> {
  for (const inner of ["assets", "chat"]) await mkdir(path.join(folder, inner));
  const files: Record<string, string | Buffer> = {
    "index.html": page,
    "theme.js": "//",
    "chat/widget.js": "/* widget */",
    "assets/index-B3f2a9Qx.js": script,
    "assets/index-B3f2a9Qx.js.br": brotliCompressSync(script),
    "assets/index-B3f2a9Qx.js.gz": gzipSync(script),
    ".built": "now",
  };
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
}

interface Got {
  readonly status: number;
  readonly headers: Record<string, string | undefined>;
  readonly body: Buffer;
}

/** A request with exactly these headers; `fetch` would add its own and decompress. */
function get(where: string, headers: Record<string, string> = {}, method = "GET"): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(app.url + where, { method, headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Got["headers"],
          body: Buffer.concat(pieces),
        }),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
}

beforeAll(async () => {
  await lay();
  app = await startTestApp({ portal: new PortalSite({ folder, ensure: async () => undefined }) });
});
afterAll(async () => {
  await app?.close();
  await rm(folder, { recursive: true, force: true });
});

describe("the portal's pages", () => {
  it.each(["/", "/sign-in", "/approvals", "/approvals/tsk_01jd8x0000000000000000000a", "/?next=1"])(
    "are there for whoever asks: %s",
    async (where) => {
      const { status, headers, body } = await get(where);
      expect([status, headers["content-type"], body.toString()]).toEqual([200, "text/html; charset=utf-8", page]);
    },
  );

  it("say to browsers that there is no such page, and programs are told as by every call", async () => {
    const browser = await get("/nowhere/at/all", { accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
    expect([browser.status, browser.body.toString(), browser.headers["content-security-policy"]]).toEqual([
      404,
      page,
      contentSecurityPolicy,
    ]);
    const program = await get("/nowhere/at/all", { accept: "application/json" });
    expect([program.status, JSON.parse(program.body.toString()).code]).toEqual([401, "unauthenticated"]);
  });

  it("are none where an approval cannot have that name", async () => {
    expect((await get("/approvals/nonsense")).status).toBe(404);
  });

  it.each([
    ["/v1/nothing", 401],
    ["/v1", 401],
    ["/auth/nothing", 401],
    ["/auth/session", 401],
    ["/metrics/x", 401],
    ["/docs/nothing", 404],
    ["/assets/nothing.js", 404],
    ["/healthz", 200],
    ["/readyz", 200],
    ["/openapi.json", 200],
  ])("never stand before %s, whatever the browser wants", async (where, status) => {
    // A process that has stalled is not ready for a moment.
    await vi.waitFor(async () => {
      const given = await get(where, { accept: "text/html" });
      expect(given.body.toString()).not.toBe(page);
      expect(given.status).toBe(status);
    }, 10_000);
  });

  it("are no answer to a change", async () => {
    for (const method of ["POST", "PUT", "DELETE"])
      expect((await get("/tasks", { accept: "text/html" }, method)).status).toBe(401);
  });

  it("let nothing happen but their own scripts, and nobody frame them", async () => {
    const { headers } = await get("/");
    expect(headers["content-security-policy"]).toBe(contentSecurityPolicy);
    expect(contentSecurityPolicy).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
      "cache-control": "no-cache",
    });
  });

  it("are asked for again, and not sent again while they are the same", async () => {
    const etag = (await get("/")).headers.etag as string;
    const again = await get("/approvals", { "if-none-match": etag });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect((await get("/", { "if-none-match": '"another"' })).status).toBe(200);
  });

  it("have a head without a body", async () => {
    const head = await get("/", {}, "HEAD");
    expect([head.status, head.body.length, head.headers["content-length"]]).toEqual([200, 0, String(page.length)]);
  });
});

describe("the portal's files", () => {
  const asset = "/assets/index-B3f2a9Qx.js";

  it.each([
    ["br, gzip", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["br;q=0, gzip", "gzip", gunzipSync],
    ["identity", undefined, (body: Buffer) => body],
    ["*", undefined, (body: Buffer) => body],
  ] as const)("come as the browser takes them: %s", async (accepted, encoding, open) => {
    const { headers, body } = await get(asset, { "accept-encoding": accepted });
    expect(headers).toMatchObject({ "content-type": "text/javascript; charset=utf-8", vary: "Accept-Encoding" });
    expect(headers["content-encoding"]).toBe(encoding);
    expect(open(body).toString()).toBe(script);
  });

  it("have a tag for each representation", async () => {
    const tags = await Promise.all(
      ["br", "gzip", ""].map(async (accepted) => (await get(asset, { "accept-encoding": accepted })).headers.etag),
    );
    expect(new Set(tags).size).toBe(3);
  });

  it("are kept for ever where their name changes with them, and asked for again where it does not", async () => {
    expect((await get(asset)).headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect((await get("/theme.js")).headers["cache-control"]).toBe("no-cache");
  });

  it("are the portal's own, but for the chat widget, which pages of others load", async () => {
    expect((await get("/theme.js")).headers["cross-origin-resource-policy"]).toBe("same-origin");
    const { headers, body } = await get("/chat/widget.js");
    expect(body.toString()).toBe("/* widget */");
    expect(headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=300",
    });
    const again = await get("/chat/widget.js", { "if-none-match": headers.etag as string });
    expect([again.status, again.headers["cross-origin-resource-policy"]]).toEqual([304, "cross-origin"]);
  });

  it("are those of the build alone: no path leads out of it, and its stamp is none", async () => {
    for (const where of [
      "/assets/../../package.json",
      "/assets/..%2f..%2fpackage.json",
      "/.built",
      "/assets/index-B3f2a9Qx.js.br",
    ]) {
      expect([401, 404]).toContain((await get(where)).status);
    }
  });
});

describe("a portal that could not be built", () => {
  it("says so, leaves the interface alone, and is there once it is built", async () => {
    const faults: unknown[] = [];
    const site = new PortalSite({
      folder,
      ensure: async () => {
        if (faults.push("tried") === 1) throw new Error("the builder's words");
      },
    });
    const lame = await startTestApp({ portal: site });
    try {
      const { status, headers, text } = await lame.call("GET", "/approvals", { key: null });
      expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
      expect(text).toContain("could not be built");
      expect(text).not.toContain("the builder's words");
      expect((await lame.call("GET", "/v1/tasks")).status).toBe(200);
      expect((await lame.call("GET", "/approvals", { key: null })).text).toBe(page);
    } finally {
      await lame.close();
    }
  });
});
