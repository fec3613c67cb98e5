import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArgumentError } from "./http-body.ts";
import { fillRequest } from "./http-fill.ts";
import type { HttpToolRequest } from "./http-types.ts";

const get = (url: string, more: Partial<HttpToolRequest> = {}): HttpToolRequest => ({ method: "GET", url, ...more });
const urlOf = (request: HttpToolRequest, args: Readonly<Record<string, unknown>>): string =>
  fillRequest(request, args).url;

describe("addresses", () => {
  it("take arguments in path and query, encoded", () => {
    const request = get("https://api.test/v1/{a}/x-{b}?given=1&c={c}#part", { query: { d: "{d}", e: "is {b}" } });
    expect(urlOf(request, { a: "a/b?c#d", b: 2, c: "&x=1", d: true })).toBe(
      "https://api.test/v1/a%2Fb%3Fc%23d/x-2?given=1&c=%26x%3D1&d=true&e=is%202",
    );
  });

  it("leave parameters out whose argument is not given or null, and repeat those of lists", () => {
    const request = get("https://api.test/?a={a}&b={b}", { query: { c: "{c}", d: "{d}", e: "{e}" } });
    expect(urlOf(request, { a: null, b: "", d: null, e: ["1", 2] })).toBe("https://api.test/?b=&e=1&e=2");
  });

  it("write doubled braces as braces", () => {
    expect(urlOf(get("https://api.test/{{x}}", { query: { a: "{{b}}" } }), {})).toBe("https://api.test/{x}?a=%7Bb%7D");
  });

  it.each(["", ".", "..", "%2e%2e".replaceAll("%2e", ".")])(
    "take no %j in their path, which would lead elsewhere",
    (id) => {
      expect(() => urlOf(get("https://api.test/users/{id}/notes"), { id })).toThrow(ArgumentError);
    },
  );

  it("need what stands in their path, as text, number or boolean", () => {
    const request = get("https://api.test/users/{id}");
    for (const args of [{}, { id: null }, { id: ["1"] }, { id: { a: 1 } }, { id: "\ud800" }])
      expect(() => urlOf(request, args)).toThrow(/`id`/);
  });

  it("take nothing in their host, and nothing from what arguments inherit", () => {
    expect(() => urlOf(get("https://{host}/"), { host: "api.test" })).toThrow(ArgumentError);
    expect(() => urlOf(get("https://api.test/{toString}"), {})).toThrow(ArgumentError);
  });

  it("keep their origin, the shape of their path and their other parameters, whatever the arguments are", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("../..", "//evil.test", "\\..\\", "%2e%2e/", "a&b=c", "?x", "#y", "@evil.test", "\r\nx: y"),
    );
    fc.assert(
      fc.property(text, text, (a, b) => {
        let filled: string;
        try {
          filled = urlOf(get("https://api.test/v1/{a}/tail?fixed=1&b={b}"), { a, b });
        } catch (error) {
          expect(error).toBeInstanceOf(ArgumentError);
          return;
        }
        const url = new URL(filled);
        const segments = url.pathname.split("/");
        expect([url.origin, url.hash, segments.length, segments[1], segments[3]]).toEqual([
          "https://api.test",
          "",
          4,
          "v1",
          "tail",
        ]);
        expect(decodeURIComponent(segments[2]!)).toBe(a);
        expect([...url.searchParams]).toEqual([
          ["fixed", "1"],
          ["b", b],
        ]);
      }),
    );
  });
});

describe("headers", () => {
  it("take arguments as text, and are left out without theirs", () => {
    const { headers } = fillRequest(
      get("https://api.test/", { headers: { "X-A": "a-{a}", "X-B": "{b}", "X-C": "{c}" } }),
      {
        a: 1,
        b: "2",
      },
    );
    expect(headers).toEqual({ "x-a": "a-1", "x-b": "2" });
  });
});

describe("bodies", () => {
  const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): HttpToolRequest => ({
    method: "POST",
    url: "https://api.test/",
    body,
    headers,
  });
  const sent = (body: unknown, args: Readonly<Record<string, unknown>>): unknown =>
    JSON.parse(fillRequest(post(body), args).body ?? "null");

  it("take an argument with its type where it stands alone, else as text", () => {
    const body = { n: "{n}", list: ["{n}", "{o}", 7], text: "n={n}, o={o}", fixed: null };
    expect(sent(body, { n: 1.5, o: { a: [true] } })).toEqual({
      n: 1.5,
      list: [1.5, { a: [true] }, 7],
      text: 'n=1.5, o={"a":[true]}',
      fixed: null,
    });
  });

  it("leave members and items out whose argument is not given, and keep null", () => {
    expect(sent({ a: "{a}", b: "{b}", list: ["{a}", 1] }, { b: null })).toEqual({ b: null, list: [1] });
    expect(() => sent({ a: "is {a}" }, {})).toThrow(/`a` is needed/);
  });

  it("put arguments in as data, never as places or members", () => {
    expect(sent({ a: "{a}", b: "x{b}" }, { a: "{b}", b: '","c":"d' })).toEqual({ a: "{b}", b: 'x","c":"d' });
  });

  it("are JSON, and otherwise what the content type says", () => {
    expect(fillRequest(post("{a}"), { a: "text" })).toMatchObject({
      body: '"text"',
      headers: { "content-type": "application/json" },
    });
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    expect(fillRequest(post({ a: "{a}", b: ["1", "{a}"], c: "{c}" }, form), { a: "ä&=", c: null }).body).toBe(
      "a=%C3%A4%26%3D&b=1&b=%C3%A4%26%3D",
    );
    expect(fillRequest(post("Hello {a}", { "content-type": "text/plain" }), { a: "you" }).body).toBe("Hello you");
    expect(() => fillRequest(post({ a: { b: 1 } }, form), {})).toThrow(ArgumentError);
    expect(() => fillRequest(post({ a: 1 }, { "content-type": "text/plain" }), {})).toThrow(/must be text/);
  });

  it("are none where the tool has none, or its only argument is not given", () => {
    expect(fillRequest(get("https://api.test/"), {})).toMatchObject({ body: null, headers: {} });
    expect(fillRequest(post("{a}"), {})).toMatchObject({ body: null, headers: {} });
  });
});
