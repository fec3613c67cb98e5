import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { launchChromium } from "../../server/src/http/pages/chromium.fixture.ts";
import type { TestApp } from "../../server/src/testing/app.ts";

/** What a shop does with the widget. */
export interface ShopOptions extends BrowserContextOptions {
  readonly user?: string;
  /** Origins that the shop names for its tokens; default: its own. */
  readonly origins?: readonly string[];
  /** Attributes of the script tag. */
  readonly attributes?: string;
  readonly language?: string;
}

export type VisitShop = <T>(look: (page: Page) => Promise<T>, options?: ShopOptions) => Promise<T>;

/** A page of another origin that holds the widget under a strict policy, its server, and the network between browser and service. */
export interface Shop {
  readonly visit: VisitShop;
  /** A page of another server, in the same browser. */
  look<T>(address: string, look: (page: Page) => Promise<T>): Promise<T>;
  /** Breaks all connections to the service; none is made until they are let through again. */
  breakConnections(): void;
  letThrough(): void;
}

/** A shop for the tests of a file. Whatever the browser complains about fails the test. */
export function useShop(app: TestApp): Shop {
  let browser: Browser;
  let network: Awaited<ReturnType<typeof startNetwork>>;
  vi.setConfig({ testTimeout: 180_000 });
  beforeAll(async () => {
    [browser, network] = await Promise.all([launchChromium(), startNetwork(app.url), app.app.portal.load()]);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    network?.close();
  });
  return {
    breakConnections: () => network.break(),
    letThrough: () => network.letThrough(),
    async visit(look, options = {}) {
      const server = await startShop(app, network.url, options);
      const { user: _, origins: _origins, attributes: _attributes, language: _language, ...browserOptions } = options;
      try {
        return await lookAt(originOf(server), look, browserOptions);
      } finally {
        server.close();
      }
    },
    look: (address, look) => lookAt(address, look),
  };

  async function lookAt<T>(
    address: string,
    look: (page: Page) => Promise<T>,
    options: BrowserContextOptions = {},
  ): Promise<T> {
    const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce", ...options });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      const faults: string[] = [];
      page.on("pageerror", (error) => faults.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error" && !/net::ERR_|status of 4|CORS policy/.test(message.text()))
          faults.push(message.text());
      });
      await page.goto(address);
      const result = await look(page);
      expect(faults).toEqual([]);
      return result;
    } finally {
      await context.close();
    }
  }
}

const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function startShop(app: TestApp, service: string, options: ShopOptions): Promise<Server> {
  const { user = "customer-4711", language = "en", attributes = "" } = options;
  const server = createServer(async (request, response) => {
    if (request.method === "POST") {
      const origins = options.origins ?? [originOf(server)];
      const { body, text } = await app.call("POST", "/v1/chat/tokens", { body: { agent: "sales", user, origins } });
      expect(body.token, text).toBeDefined();
      response.writeHead(200, { "Content-Type": "application/json" }).end(text);
      return;
    }
    const policy = `default-src 'none'; script-src ${service}; connect-src 'self' ${service}; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy });
    response.end(`<!doctype html><html lang="${language}"><head><title>A shop</title>
      <meta name="viewport" content="width=device-width, initial-scale=1"></head>
      <body><main><h1>A shop</h1><p>Everything for the garden.</p><button type="button">Buy</button></main>
      <script src="${service}/chat/widget.js" data-token-url="/chat-token" data-title="Garden help" ${attributes} async></script></body></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** What lies between browser and service, and can fail. */
async function startNetwork(target: string) {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let isBroken = false;
  const server = createTcpServer((socket) => {
    const onward = connect(Number(port), hostname);
    for (const one of [socket, onward]) {
      open.add(one);
      one
        .on("error", () => undefined)
        .on("close", () => {
          open.delete(one);
          socket.destroy();
          onward.destroy();
        });
    }
    if (isBroken) return void socket.destroy();
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const end = (): void => {
    for (const one of open) one.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    break(): void {
      isBroken = true;
      end();
    },
    letThrough(): void {
      isBroken = false;
    },
    close(): void {
      end();
      server.close();
    },
  };
}

/** A port that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
