import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { compileSchema } from "@aos/json-schema";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { publishedOperations } from "../../../../scripts/checks/registry.ts";
import { problemCatalogue } from "../../kernel/errors.ts";
import { eventCatalogue } from "../../kernel/events.ts";
import { describe as describeOperation } from "../../kernel/operation-seal.ts";
import { eventExample } from "../../openapi/document.ts";
import { useApp } from "../../testing/app.ts";
import { launchChromium } from "../pages/chromium.fixture.ts";
import { quoted } from "./curl.ts";
import { escapeHtml, html, json, words } from "./html.ts";
import { contentSecurityPolicy } from "./index.ts";
import { docsModel } from "./model.ts";
import { makePages } from "./pages.ts";
import { bodyView, typeWords } from "./schema-view.ts";

const operations = publishedOperations();
const described = operations.map(describeOperation);
const model = docsModel(operations, "http://127.0.0.1:4000");
const { pages } = makePages(model);
const page = (path: string): string => pages.get(path) ?? "";
const linksOf = (text: string): string[] =>
  [...text.matchAll(/\b(?:href|src)="([^"]*)"/g)].map(([, link]) => link as string);

describe("the reference", () => {
  it("has a page for each operation, problem and event, for each guide, run book and decision, and for the agent file", () => {
    const wanted = [
      ...described.map(({ id }) => `/docs/operations/${id}`),
      ...problemCatalogue().map(({ code }) => `/docs/problems/${code}`),
      ...eventCatalogue().map(({ type }) => `/docs/events/${type}`),
      ...readdirSync("docs/guide")
        .filter((name) => name.endsWith(".md"))
        .map((name) => `/docs/guide/${name.replace(".md", "")}`),
      ...readdirSync("docs/operations").map((name) => `/docs/running/${name.replace(".md", "")}`),
      ...readdirSync("docs/decisions").map((name) => `/docs/decisions/${name.replace(".md", "")}`),
      "/docs",
      "/docs/events",
      "/docs/problems",
      "/docs/reference/agent-file",
    ];
    expect([...pages.keys()].sort()).toEqual(wanted.sort());
    for (const { type } of eventCatalogue()) expect(page("/docs/events")).toContain(`id="${type}"`);
  });

  it("links to nothing that is missing, and loads nothing from another host", () => {
    const files = [
      "/openapi.json",
      "/openapi.yaml",
      "/workflow.schema.json",
      "/docs/assets/docs.css",
      "/docs/assets/docs.js",
    ];
    for (const [path, text] of pages) {
      for (const link of linksOf(text)) {
        if (link.startsWith("https://") && !text.includes(`src="${link}"`)) continue; // read by whoever wants to
        const [target = "", anchor] = link.split("#");
        const there = target === "" ? path : target;
        expect(pages.has(there) || files.includes(there), `${path} links to ${link}`).toBe(true);
        if (anchor !== undefined) expect(page(there), `${path} links to ${link}`).toContain(`id="${anchor}"`);
      }
    }
  });

  it("says of each operation how it is called, what governs it, and how it can fail", () => {
    for (const { operations: list } of model.groups) {
      for (const { id, path, declared, problems } of list) {
        const text = page(`/docs/operations/${id}`);
        for (const name of Object.keys({ ...declared.params?.properties, ...declared.query?.properties }))
          expect(text, `${id} ${name}`).toContain(`<code class="name">${name}</code>`);
        for (const name of Object.keys((declared.body as { properties?: object })?.properties ?? {}))
          expect(text, `${id} ${name}`).toContain(`<code class="name">${name}</code>`);
        if (typeof declared.permission === "string") expect(text).toContain(`<code>${declared.permission}</code>`);
        if (declared.action !== null) expect(text).toContain(`<code>${declared.action}</code>`);
        for (const reason of [declared.exemptions.gate, declared.exemptions.compliance])
          if (reason !== undefined && declared.action === null) expect(text).toContain(escapeHtml(reason));
        for (const code of [...problems.values()].flat())
          expect(text, `${id} ${code}`).toContain(`href="/docs/problems/${code}"`);
        expect(text.replaceAll(/<[^>]+>/g, ""), id).toContain(path);
      }
    }
  });

  it("says of each problem its cause, its remedy and an example as callers get it", () => {
    for (const { code, cause, remedy } of problemCatalogue()) {
      const text = page(`/docs/problems/${code}`);
      expect(text).toContain(words(cause).html);
      expect(text).toContain(words(remedy).html);
      expect(text).toContain(`&quot;${code}&quot;`);
      expect(text).toContain("&quot;request_id&quot;");
    }
  });
});

describe("an example of an event", () => {
  it.each(eventCatalogue().map(({ type, schema }) => [type, schema] as const))(
    "%s fits what is published of it",
    (type, schema) => {
      const example = eventExample(schema as unknown as Record<string, unknown>);
      expect(compileSchema(schema)(example)).toEqual([]);
      expect(example.event).toBe(type);
    },
  );
});

describe("an example for the shell", () => {
  it("passes on what it holds, whatever that is", () => {
    for (const text of ["plain", "it's", 'a "quoted" $HOME `id` \\ !', "two\nlines", ""])
      expect(execFileSync("sh", ["-c", `printf %s ${quoted(text)}`]).toString()).toBe(text);
  });

  it("carries the key, and If-Match where it is needed", () => {
    for (const { id, declared } of model.operations) {
      const text = page(`/docs/operations/${id}`)
        .replaceAll(/<[^>]+>/g, "")
        .replaceAll("&quot;", '"')
        .replaceAll("&#39;", "'");
      expect(text).toContain(`Authorization: Bearer $AOS_KEY`);
      if (declared.needsRevision) expect(text).toContain("-H 'If-Match: ");
    }
  });
});

describe("what is put into a page", () => {
  it("stays text, in elements and attributes", () => {
    const evil = `<script>"'&`;
    expect(html`<p title="${evil}">${evil}</p>`.html).toBe(
      '<p title="&lt;script&gt;&quot;&#39;&amp;">&lt;script&gt;&quot;&#39;&amp;</p>',
    );
    expect(words("a `<b>` c").html).toBe("a <code>&lt;b&gt;</code> c");
    expect(json({ "<i>": "</pre>" }).html).not.toMatch(/<i>|<\/pre>/);
  });

  it("is nothing where there is nothing", () => {
    expect(html`${false}${null}${undefined}${[]}${0}`.html).toBe("0");
  });

  it("as JSON reads back as the same value", () => {
    const value = { text: 'a "b" \\ <c>', numbers: [-1.5e9, 0], none: null, yes: true, "a:b": {} };
    const text = json(value)
      .html.replaceAll(/<\/?span[^>]*>/g, "")
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">");
    expect(JSON.parse(text)).toEqual(value);
  });
});

describe("a schema in words", () => {
  const resolve = (value: unknown) => value as Record<string, unknown>;

  it("says types, lists, alternatives and times", () => {
    expect(typeWords({ type: ["string", "null"], format: "date-time" }, resolve)).toBe("time (RFC 3339) or null");
    expect(typeWords({ type: "array", items: { type: "integer" } }, resolve)).toBe("list of whole number");
    expect(typeWords({ anyOf: [{ type: "string" }, { type: "null" }, { type: "string" }] }, resolve)).toBe(
      "text or null",
    );
    expect(typeWords({ const: true }, resolve)).toBe("true");
    expect(typeWords({ type: "object", additionalProperties: { type: "number" } }, resolve)).toBe(
      "object of number by name",
    );
  });

  it("says the bounds that are its own, and not those of every value", () => {
    const schema = {
      properties: {
        a: { type: "string", maxLength: 1_048_576 },
        b: { type: "string", maxLength: 5 },
        c: { type: "integer", minimum: 1, maximum: 9 },
      },
    };
    const text = bodyView(schema, resolve).html;
    expect(text).toContain("at most 5 characters");
    expect(text).toContain("1 to 9");
    expect(text).not.toContain("1048576");
  });

  it("ends where a schema holds itself", () => {
    const tree: Record<string, unknown> = { type: "object", properties: {} };
    Object.assign(tree.properties as object, { name: { type: "string" }, children: { type: "array", items: tree } });
    expect(bodyView(tree, resolve).html.match(/children/g)).toHaveLength(1);
  });
});

describe("the pages in a browser", () => {
  const app = useApp();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  async function visit(
    path: string,
    look: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    try {
      const tab = await context.newPage();
      tab.setDefaultTimeout(15_000);
      const faults: string[] = [];
      tab.on("pageerror", (error) => faults.push(String(error)));
      tab.on("console", (message) => message.type() === "error" && faults.push(message.text()));
      tab.on("request", (request) => !request.url().startsWith(app.url) && faults.push(request.url()));
      await tab.goto(app.url + path);
      await look(tab);
      expect(faults).toEqual([]);
    } finally {
      await context.close();
    }
  }

  it("are served to everybody, closed to foreign content", async () => {
    for (const path of [
      "/docs",
      "/docs/",
      "/docs/events",
      "/docs/events/task.created",
      "/docs/guide/first-task",
      "/docs/problems/policy_blocked",
      "/docs/assets/docs.js",
    ]) {
      const { status, headers } = await app.call("GET", path, { key: null });
      expect([path, status, headers.get("content-security-policy")]).toEqual([path, 200, contentSecurityPolicy]);
    }
    for (const path of ["/docs/nothing", "/docs/problems/nothing", "/docs/operations/a.b"]) {
      const { status, text } = await app.call("GET", path, { key: null });
      expect([status, text]).toEqual([404, expect.stringContaining("There is no such page")]);
    }
  });

  it.each([
    "/docs",
    "/docs/events",
    "/docs/problems",
    "/docs/operations/agents.dispatchTask",
    "/docs/operations/agents.readAgent",
    "/docs/events/task.approval_required",
    "/docs/guide/approvals",
    "/docs/running/production",
  ])("at %s need no sideways scrolling, however wide the window is", async (path) => {
    await visit(path, async (tab) => {
      for (const width of [320, 390, 768, 1000, 1440, 1920]) {
        await tab.setViewportSize({ width, height: 800 });
        const over = await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect([path, width, over > 0]).toEqual([path, width, false]);
      }
    });
  });

  it("find an operation by any of its words, and go there by Enter", async () => {
    await visit("/docs", async (tab) => {
      await tab.keyboard.press("/");
      await tab.keyboard.type("cancel task");
      await expect.poll(() => tab.locator("#contents li:visible").count()).toBeLessThan(operations.length / 2);
      await tab.keyboard.press("Enter");
      await tab.waitForURL("**/docs/operations/tasks.cancelTask");
      expect(await tab.locator("h1").textContent()).toBe("Cancel a task");
    });
  });

  it("are found by words of their text", async () => {
    await visit("/docs", async (tab) => {
      await tab.getByLabel("Find a page").fill("zyzzyva");
      await tab.getByText("Nothing matches.").waitFor();
      await tab.getByLabel("Find a page").fill("AOS_OUTBOUND_ALLOW");
      await tab.locator("#contents li:visible").first().waitFor();
      await tab.getByLabel("Find a page").fill("max_output_tokens");
      await tab.locator("#contents").getByRole("link", { name: "The agent file" }).waitFor();
    });
  });

  it("are mapped for language models, with guides as Markdown and the description as YAML", async () => {
    const { text } = await app.call("GET", "/llms.txt", { key: null });
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => new URL(link as string).pathname);
    expect(links.length).toBeGreaterThan(operations.length);
    expect(links).toContain("/docs/reference/agent-file.md");
    for (const link of links.filter((one) => one.endsWith(".md"))) {
      const guide = await app.call("GET", link, { key: null });
      expect([link, guide.status, guide.text.startsWith("# ")]).toEqual([link, 200, true]);
    }
    const yaml = await app.call("GET", "/openapi.yaml", { key: null });
    expect(parseYaml(yaml.text)).toEqual((await app.call("GET", "/openapi.json", { key: null })).body);
  });

  it("copy an example", async () => {
    const permissions = ["clipboard-read", "clipboard-write"];
    await visit(
      "/docs/operations/agents.dispatchTask",
      async (tab) => {
        await tab.getByRole("button", { name: "Copy" }).first().click();
        await tab.getByRole("button", { name: "Copied" }).waitFor();
        expect(await tab.evaluate(() => navigator.clipboard.readText())).toMatch(
          /^curl -X POST .*\/v1\/agents\/sales\/tasks/,
        );
      },
      { permissions },
    );
  });

  it("hold everything without their script", async () => {
    const look = async (tab: Page): Promise<void> => {
      await tab.getByRole("heading", { name: "Dispatch a task to an agent" }).waitFor();
      expect(await tab.locator("#contents li .method:visible").count()).toBe(model.operations.length);
      expect(await tab.getByText("qualify_lead").first().isVisible()).toBe(true);
    };
    await visit("/docs/operations/agents.dispatchTask", look, { javaScriptEnabled: false });
  });

  it.each(["light", "dark"] as const)("can be read in a %s surrounding", { timeout: 120_000 }, async (colorScheme) => {
    for (const path of ["/docs/operations/agents.dispatchTask", "/docs/guide/first-task", "/docs/events/task.created"])
      await visit(
        path,
        async (page) => {
          const { violations } = await new AxeBuilder({ page })
            .setLegacyMode(true) // in the page itself, which has no frames
            .withRules(["color-contrast", "scrollable-region-focusable"])
            .analyze();
          expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
        },
        { colorScheme },
      );
  });
});
