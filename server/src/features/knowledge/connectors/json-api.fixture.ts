import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

export type ApiItem = { readonly id: string } & Readonly<Record<string, unknown>>;

export interface JsonApi {
  readonly url: string;
  /** In the order of the list. */
  items: ApiItem[];
  /** Paths and queries of requests. */
  readonly asked: string[];
  readonly headers: IncomingMessage["headers"][];
  /** Answers that come first: status, headers, body. */
  readonly first: (readonly [status: number, headers?: Record<string, string>, body?: string])[];
  /** After each page of the list. */
  afterPage: () => void;
}

/** An API on loopback with a list in pages of every style, a filter `since`, and each item by its id. */
export async function startApi(): Promise<JsonApi> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    api.asked.push(url.pathname + url.search);
    api.headers.push(request.headers);
    const [status, headers, text] = api.first.shift() ?? answered(api, url);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(text ?? "{}");
    if (url.pathname === "/articles") api.afterPage();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api: JsonApi = { url, items: [], asked: [], headers: [], first: [], afterPage: () => undefined };
  return api;
}

type Answer = readonly [status: number, headers: Record<string, string>, body: string];

function answered({ url, items }: JsonApi, { pathname, searchParams: query }: URL): Answer {
  if (pathname !== "/articles") {
    const found = items.find(({ id }) => pathname === `/articles/${id}`);
    return found ? [200, {}, JSON.stringify({ article: found })] : [404, {}, "{}"];
  }
  const since = query.get("since");
  const all = since === null ? items : items.filter(({ updated }) => String(updated) >= since);
  const limit = Number(query.get("limit") ?? 1000);
  const from = Number(query.get("cursor") ?? query.get("offset") ?? (Number(query.get("page") ?? 1) - 1) * limit);
  const to = from + limit;
  const more = to < all.length;
  const next = `/articles?limit=${limit}&offset=${to}`;
  const link: Record<string, string> = more ? { link: `<${url}/first>; rel="first", <${next}>; rel="next"` } : {};
  const body = {
    data: all.slice(from, to),
    cursor: more ? String(to) : null,
    links: { next: more ? url + next : null },
  };
  return [200, link, JSON.stringify(body)];
}
