import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { portalAddresses } from "../../server/src/http/portal/addresses.ts";
import { contentSecurityPolicy } from "../../server/src/http/portal/index.ts";
import { useApp } from "../../server/src/testing/app.ts";
import { useBrowser } from "./browser.fixture.ts";

const source = (name: string): string => readFileSync(new URL(`../src/${name}`, import.meta.url), "utf8");

describe("the portal's files", () => {
  const app = useApp();
  const visit = useBrowser(app);
  const page = (path: string, headers: Record<string, string> = {}, method = "GET") => fetch(app.url + path, { method, headers });

  it("answer every address of the portal with the same text, which holds no data, under a strict policy", async () => {
    const texts = new Set<string>();
    for (const address of portalAddresses) {
      const path = address.replace(":task", "tsk_01jd8x0000000000000000000a").replace(/:[a-z]+/, "one");
      const response = await page(path);
      expect(response.status, path).toBe(200);
      expect(response.headers.get("content-security-policy")).toBe(contentSecurityPolicy);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      expect(response.headers.get("cache-control")).toBe("no-cache");
      texts.add(await response.text());
    }
    expect(texts.size).toBe(1);
    expect([...texts][0]).not.toMatch(/<style|style=|<script(?! (type="module" crossorigin )?src="\/)|\son[a-z]+=|https?:/);
  });

  it("have an address in the service for every route of the portal, and no other", () => {
    const routes = [...source("routes.tsx").matchAll(/\bpath: "([^"]+)"/g)].map(([, path = ""]) => path.replaceAll("$", ":"));
    expect(routes.sort()).toEqual([...portalAddresses].sort());
  });

  it("answer 404 where the address holds no id, and to methods that read nothing what every unknown path answers", async () => {
    expect((await page("/approvals/nothing")).status).toBe(404);
    expect((await page("/assets/nothing.js")).status).toBe(404);
    expect((await page("/assets/..%2Findex.html")).status).toBe(404);
    expect((await page("/approvals", {}, "POST")).status).toBe(401);
    expect((await page("/nowhere")).status).toBe(401);
  });

  it("come compressed, are kept for ever where their name says what they hold, and are asked for again where not", async () => {
    const html = await (await page("/")).text();
    const name = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] as string;
    const plain = await page(name);
    expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const body = Buffer.from(await plain.arrayBuffer());
    for (const encoding of ["br", "gzip"]) {
      const packed = await page(name, { "accept-encoding": encoding });
      expect(packed.headers.get("content-encoding")).toBe(encoding);
      expect(packed.headers.get("vary")).toContain("Accept-Encoding");
      expect(Buffer.from(await packed.arrayBuffer()).equals(body)).toBe(true);
    }
    expect(brotliDecompressSync(readFileSync(new URL(`../dist${name}.br`, import.meta.url))).equals(body)).toBe(true);
    const etag = (await page("/")).headers.get("etag") as string;
    expect((await page("/", { "if-none-match": etag })).status).toBe(304);
    expect((await page("/", {}, "HEAD")).status).toBe(200);
  });

  it("are less than 200 KB of compressed script for the inbox", async () => {
    await visit("/approvals", async (browser) => {
      await browser.getByRole("heading", { name: "Approvals", level: 1 }).waitFor();
      await browser.getByRole("list", { name: "Approvals" }).waitFor({ state: "attached" });
      const loaded =
        "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).map(({ encodedBodySize }) => encodedBodySize)";
      const sizes = (await browser.evaluate(loaded)) as number[];
      console.info(`script for the inbox: ${sizes.reduce((sum, size) => sum + size, 0)} bytes in ${sizes.length} files`);
      expect(sizes.length).toBeGreaterThan(2);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
    });
  });
});
