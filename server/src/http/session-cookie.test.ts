import type { FastifyRequest } from "fastify";
import { describe, expect, it } from "vitest";
import { SessionCookie } from "./session-cookie.ts";

const secret = "s".repeat(43);
const request = (headers: Record<string, string>, method = "GET", host = "portal.example") =>
  ({ headers, method, host }) as unknown as FastifyRequest;

describe("the cookie of a session", () => {
  it("is bound to its host where the portal is served over TLS", () => {
    const header = new SessionCookie("https://portal.example").set(secret);
    expect(header).toBe(`__Host-aos_session=${secret}; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax; Secure`);
  });

  it("carries the port in its name elsewhere, so that services side by side keep theirs apart", () => {
    const [one, other] = [new SessionCookie("http://127.0.0.1:4000"), new SessionCookie("http://127.0.0.1:4100")];
    const cookie = [one.set(secret), other.set("o".repeat(43))].map((header) => header.split(";")[0]).join("; ");
    expect(one.read(request({ cookie }))?.secret).toBe(secret);
    expect(other.read(request({ cookie }))?.secret).toBe("o".repeat(43));
    expect(one.set(secret)).not.toContain("Secure");
  });

  it.each([
    ["none", {}],
    ["another's", { cookie: "session=1; theme=dark" }],
    ["a name that only ends alike", { cookie: `x__Host-aos_session=${secret}` }],
    ["one that was cleared", { cookie: "__Host-aos_session=" }],
    ["one of another form", { cookie: "__Host-aos_session=<script>" }],
  ])("is not found in %s", (_what, headers) => {
    expect(new SessionCookie("https://portal.example").read(request(headers as Record<string, string>))).toBeNull();
  });

  it.each([
    ["GET", false],
    ["HEAD", false],
    ["OPTIONS", false],
    ["POST", true],
    ["PUT", true],
    ["PATCH", true],
    ["DELETE", true],
    ["QUERY", true],
  ])("with %s demands a token: %s", (method, changes) => {
    const cookie = `__Host-aos_session=${secret}`;
    expect(new SessionCookie("https://portal.example").read(request({ cookie }, method))?.changes).toBe(changes);
  });
});

describe("where a request comes from", () => {
  const cookie = new SessionCookie("https://portal.example");
  it.each([
    ["a program that says nothing", {}, false],
    ["the portal's own page", { "sec-fetch-site": "same-origin", origin: "https://portal.example" }, false],
    ["somebody who typed the address", { "sec-fetch-site": "none" }, false],
    ["another site", { "sec-fetch-site": "cross-site" }, true],
    [
      "a neighbour below the same domain",
      { "sec-fetch-site": "same-site", origin: "https://blog.portal.example" },
      true,
    ],
    ["an origin that is hidden", { origin: "null" }, true],
    ["another origin, from a browser without Fetch Metadata", { origin: "https://elsewhere.example" }, true],
    ["the same host without TLS, behind a proxy that ends it", { origin: "http://portal.example" }, false],
    ["the same host at another port", { origin: "https://portal.example:8443" }, true],
  ])("is told: %s", (_what, headers, elsewhere) => {
    expect(cookie.fromElsewhere(request(headers as Record<string, string>))).toBe(elsewhere);
  });
});
