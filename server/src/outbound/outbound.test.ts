import { beforeEach, describe, expect, it } from "vitest";
import { selfSigned } from "./certificate.fixture.ts";
import { createOutbound, OutboundError, type Resolve } from "./index.ts";
import { bodyOf, json, startServer, useOutbound } from "./server.fixture.ts";

const tls = selfSigned("api.test");
const server = await startServer();
const secure = await startServer("127.0.0.1", tls);
const sixth = await startServer("::1");

/** Names of tests: each is looked up in this table, which tests may change. */
const names: Record<string, readonly string[]> = {};
let lookups = 0;
const resolve: Resolve = async (name) => {
  lookups += 1;
  const found = names[name];
  if (found === undefined) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
  return found.map((address) => ({ address }));
};
const development = useOutbound({ environment: "development", resolve, ca: tls.cert });
const production = useOutbound({ environment: "production", resolve, ca: tls.cert });

let liveInProduction = false;
const shared = useOutbound({
  environment: "development",
  resolve,
  ca: tls.cert,
  servesProduction: () => liveInProduction,
});
const opened = useOutbound({
  environment: "development",
  allow: [`http://127.0.0.1:${server.port}`],
  resolve,
  servesProduction: () => true,
});

beforeEach(() => {
  liveInProduction = false;
  for (const one of [server, secure, sixth]) {
    one.connections = 0;
    one.asked.length = 0;
    one.answer = json({ here: true });
  }
  for (const name of Object.keys(names)) delete names[name];
  names["api.test"] = ["127.0.0.1"];
  lookups = 0;
});

const failureOf = async (work: Promise<unknown>): Promise<OutboundError> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OutboundError);
  return error as OutboundError;
};
const text = (body: Uint8Array): string => Buffer.from(body).toString();
const at = (port: number, path = "/") => `http://127.0.0.1:${port}${path}`;

describe("development, once an agent is live in production", () => {
  it("reaches this machine no longer, by any scheme and name, until then it does", async () => {
    expect((await shared.send({ url: at(server.port) })).status).toBe(200);
    liveInProduction = true;
    names["here.test"] = ["127.0.0.1"];
    for (const url of [at(server.port), `https://127.0.0.1:${secure.port}/`, `http://here.test:${server.port}/`]) {
      const { code, message } = await failureOf(shared.send({ url }));
      expect([url, ["https_required", "address_refused"].includes(code)]).toEqual([url, true]);
      expect(message).toContain("live in production");
      expect(message).toContain("AOS_OUTBOUND_ALLOW");
    }
  });

  it("reaches what the operator opened", async () => {
    expect((await opened.send({ url: at(server.port) })).status).toBe(200);
  });
});

describe("what is refused everywhere but in development", () => {
  it.each([
    ...[
      "127.0.0.1",
      "127.1",
      "127.0.1",
      "2130706433",
      "0x7f000001",
      "0x7f.0.0.1",
      "0177.0.0.1",
      "017700000001",
      "0x7f.1",
      "127.0.0.1.",
    ],
    ...[
      "１２７.０.０.１",
      "127。0。0。1",
      "①②⑦.0.0.1",
      "%31%32%37.0.0.1",
      "0.0.0.0",
      "0",
      "[::1]",
      "[::]",
      "[0:0:0:0:0:0:0:1]",
    ],
    ...[
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "[::127.0.0.1]",
      "[64:ff9b::127.0.0.1]",
      "[64:ff9b::7f00:1]",
      "[2002:7f00:1::1]",
    ],
  ])("does not connect to %s, this machine", async (host) => {
    const { code, sent } = await failureOf(
      production.send({ url: `https://${host}:${host.startsWith("[") ? sixth.port : secure.port}/` }),
    );
    expect({ code, sent }).toEqual({ code: "address_refused", sent: false });
    expect(server.connections + secure.connections + sixth.connections).toBe(0);
  });

  it.each([
    ...[
      "169.254.169.254",
      "2852039166",
      "0xa9fea9fe",
      "0251.0376.0251.0376",
      "169.254.43518",
      "[::ffff:169.254.169.254]",
      "[fd00:ec2::254]",
    ],
    ...[
      "10.0.0.1",
      "167772161",
      "012.1",
      "172.16.0.1",
      "192.168.0.1",
      "0300.0250.1",
      "100.64.0.1",
      "[fe80::1]",
      "[fc00::1]",
      "[2001:db8::1]",
    ],
    ...[
      "224.0.0.1",
      "255.255.255.255",
      "4294967295",
      "192.0.2.1",
      "198.18.0.1",
      "[ff02::1]",
      "[64:ff9b:1::1]",
      "[2002:a00:1::]",
    ],
  ])("does not connect to %s, in development neither", async (host) => {
    for (const outbound of [production, development]) {
      expect((await failureOf(outbound.send({ url: `https://${host}/` }))).code).toBe("address_refused");
    }
  });

  it.each([
    "[fe80::1%25eth0]",
    "[fe80::1%eth0]",
    "[::1%25lo]",
    "127.0.0.1%00",
    "256.1.1.1",
    "0x7f.0.0.0.1",
    "08.1",
    "[::1",
    "",
  ])("cannot even read the host %j", async (host) => {
    expect((await failureOf(development.send({ url: `http://${host}:${server.port}/` }))).code).toBe("address_invalid");
    expect(server.connections).toBe(0);
  });

  it.each([
    "ftp://example.com/",
    "file:///etc/hostname",
    "javascript:alert(1)",
    "data:,x",
    "//example.com",
    "example.com",
    "unix:/run/socket",
    "",
  ])("takes %j for no address", async (url) =>
    expect((await failureOf(development.send({ url }))).code).toBe("address_invalid"),
  );

  it("takes no address with a user or a password", async () => {
    expect((await failureOf(development.send({ url: `http://user:word@127.0.0.1:${server.port}/` }))).code).toBe(
      "address_invalid",
    );
  });

  it("asks for https", async () => {
    const { code, sent } = await failureOf(production.send({ url: "http://api.test/" }));
    expect({ code, sent, lookups }).toEqual({ code: "https_required", sent: false, lookups: 0 });
  });
});

describe("names", () => {
  it.each([
    ["127.0.0.1"],
    ["10.1.2.3"],
    ["::1"],
    ["::ffff:127.0.0.1"],
    ["fe80::1%eth0"],
    ["64:ff9b::a00:1"],
    ["1.1.1.1", "127.0.0.1"],
    ["0x7f000001"],
  ])("are refused where one of their addresses is not public: %s", async (...addresses) => {
    names["inside.test"] = addresses;
    const failure = await failureOf(production.send({ url: `https://inside.test:${secure.port}/` }));
    expect(failure.code).toBe("address_refused");
    expect(failure.message).toContain("inside.test");
    for (const address of addresses) expect(failure.message).not.toContain(address);
    expect(secure.connections).toBe(0);
  });

  it("are looked up once per connection, and the connection goes where the check looked", async () => {
    const answers = [["192.0.2.1"], ["127.0.0.1"]];
    const turning: Resolve = async () => (answers.shift() ?? ["127.0.0.1"]).map((address) => ({ address }));
    const outbound = useOutbound({
      environment: "development",
      allow: ["192.0.2.0/24"],
      resolve: turning,
      connectMs: 200,
    });
    const failure = await failureOf(outbound.send({ url: `https://rebinding.test:${secure.port}/` }));
    expect(["connect_timeout", "connect_failed"]).toContain(failure.code);
    expect(answers).toHaveLength(1);
    expect(secure.connections).toBe(0);
  });

  it("are checked again at the next connection", async () => {
    server.answer = json({ here: true }, 200, { connection: "close" });
    names["moving.test"] = ["127.0.0.1"];
    const url = `http://moving.test:${server.port}/`;
    expect((await development.send({ url })).status).toBe(200);
    names["moving.test"] = ["10.0.0.1"];
    expect((await failureOf(development.send({ url }))).code).toBe("address_refused");
    expect(server.connections).toBe(1);
  });

  it("that do not exist are told, nothing sent", async () => {
    const { code, sent, message } = await failureOf(production.send({ url: "https://nowhere.test/" }));
    expect({ code, sent }).toEqual({ code: "name_not_found", sent: false });
    expect(message).toContain("nowhere.test");
  });

  it("are not awaited longer than for a connection", async () => {
    const outbound = useOutbound({
      environment: "production",
      resolve: () => new Promise(() => undefined),
      connectMs: 30,
    });
    expect((await failureOf(outbound.send({ url: "https://slow.test/" }))).code).toBe("connect_timeout");
  });

  it("are held against the certificate, although the connection is made to an address", async () => {
    names["other.test"] = ["127.0.0.1"];
    const answer = await development.send({ url: `https://api.test:${secure.port}/path?q=1` });
    expect([answer.status, text(answer.body), secure.asked]).toEqual([200, '{"here":true}', ["GET /path?q=1"]]);
    const { code, sent } = await failureOf(development.send({ url: `https://other.test:${secure.port}/` }));
    expect({ code, sent }).toEqual({ code: "tls_failed", sent: false });
  });

  it("need a certificate that is trusted", async () => {
    const doubting = useOutbound({ environment: "development", resolve });
    expect((await failureOf(doubting.send({ url: `https://api.test:${secure.port}/` }))).code).toBe("tls_failed");
    expect((await failureOf(development.send({ url: `https://api.test:${server.port}/` }))).code).toBe("tls_failed");
  });
});

describe("what is reached", () => {
  it("is this machine in development, by http, name and both families", async () => {
    names.localhost = ["::1"];
    for (const url of [
      at(server.port),
      `http://2130706433:${server.port}/`,
      `http://[::1]:${sixth.port}/`,
      `http://localhost:${sixth.port}/`,
    ]) {
      expect((await development.send({ url })).status).toBe(200);
    }
  });

  it("is by http nothing but this machine", async () => {
    names["public.test"] = ["1.1.1.1"];
    names["both.test"] = ["127.0.0.1", "1.1.1.1"];
    for (const host of ["public.test", "both.test", "1.1.1.1"]) {
      expect((await failureOf(development.send({ url: `http://${host}/` }))).code).toBe("https_required");
    }
  });

  it("is what the operator opens: a range by https, an origin by its own scheme", async () => {
    const open = useOutbound({
      environment: "production",
      resolve,
      ca: tls.cert,
      allow: ["127.0.0.0/8", `http://inside.test:${server.port}`],
    });
    names["inside.test"] = ["127.0.0.1"];
    expect((await open.send({ url: `https://api.test:${secure.port}/` })).status).toBe(200);
    expect((await open.send({ url: `http://inside.test:${server.port}/` })).status).toBe(200);
    expect((await failureOf(open.send({ url: `http://inside.test:${sixth.port}/` }))).code).toBe("https_required");
    expect((await failureOf(open.send({ url: at(server.port) }))).code).toBe("https_required");
    names["inside.test"] = ["169.254.169.254"];
    const fresh = useOutbound({ environment: "production", resolve, allow: [`http://inside.test:${server.port}`] });
    expect((await failureOf(fresh.send({ url: `http://inside.test:${server.port}/` }))).code).toBe("address_refused");
  });

  it.each(["10.0.0.1/8", "example.com", "http://a.test/path", "ftp://a.test", "http://user@a.test", ""])(
    "is not opened by %j",
    (entry) => {
      expect(() => createOutbound({ environment: "production", allow: [entry] })).toThrow(TypeError);
    },
  );
});

describe("redirects", () => {
  const to = (location: string, status = 302) => json({}, status, { location });

  it("are answers, unless asked to be followed", async () => {
    server.answer = to("/next");
    expect(await development.send({ url: at(server.port) })).toMatchObject({
      status: 302,
      headers: { location: "/next" },
    });
    expect(server.asked).toEqual(["GET /"]);
  });

  it("are followed as far as asked, by reading methods only", async () => {
    server.answer = (request, response) =>
      (request.url === "/end" ? json({ end: true }) : to("/end"))(request, response);
    expect(await development.send({ url: at(server.port), redirects: 1 })).toMatchObject({
      status: 200,
      url: at(server.port, "/end"),
    });
    expect((await development.send({ url: at(server.port), method: "POST", body: "{}", redirects: 1 })).status).toBe(
      302,
    );
    server.answer = to("/again");
    expect((await development.send({ url: at(server.port), redirects: 2 })).status).toBe(302);
    expect(server.asked.filter((line) => line === "GET /again")).toHaveLength(2);
  });

  it.each(["http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/", "https://192.168.0.1/", "//10.0.0.1/"])(
    "to %s are checked like a first address",
    async (location) => {
      server.answer = to(location);
      const failure = await failureOf(development.send({ url: at(server.port), redirects: 3 }));
      expect(["address_refused", "https_required"]).toContain(failure.code);
    },
  );

  it("to what is no address to call are refused", async () => {
    for (const location of ["file:///etc/hostname", "http://user:word@127.0.0.1/"]) {
      server.answer = to(location);
      expect((await failureOf(development.send({ url: at(server.port), redirects: 3 }))).code).toBe("redirect_refused");
    }
  });

  it("from https to http are refused, to this machine too", async () => {
    secure.answer = to(at(server.port));
    expect((await failureOf(development.send({ url: `https://api.test:${secure.port}/`, redirects: 3 }))).code).toBe(
      "redirect_refused",
    );
    expect(server.connections).toBe(0);
  });

  it("to another origin get no secret", async () => {
    const seen: Record<string, unknown>[] = [];
    const other = await startServer();
    server.answer = (request, response) => {
      seen.push(request.headers);
      (request.url === "/" ? to("/same") : to(at(other.port)))(request, response);
    };
    other.answer = (request, response) => {
      seen.push(request.headers);
      json({})(request, response);
    };
    const headers = { "x-note": "plain", cookie: "a=b" };
    await development.send({ url: at(server.port), headers, secretHeaders: { "X-Token": "secret" }, redirects: 5 });
    expect(seen.map((one) => [one["x-token"], one.cookie, one["x-note"]])).toEqual([
      ["secret", "a=b", "plain"],
      ["secret", "a=b", "plain"],
      [undefined, undefined, "plain"],
    ]);
  });
});

describe("requests", () => {
  it.each([
    [{ "x-a": "b\r\nx-c: d" }, "one line"],
    [{ "x-a\r\nb": "c" }, "name"],
    [{ "x-a": "b\0" }, "one line"],
    [{ Host: "other.test" }, "set by the service"],
    [{ "Content-Length": "0" }, "set by the service"],
    [{ "Transfer-Encoding": "chunked" }, "set by the service"],
  ])("with the headers %j are not sent", async (headers, words) => {
    const { code, sent, message } = await failureOf(
      development.send({ url: at(server.port), headers: headers as Record<string, string> }),
    );
    expect({ code, sent, connections: server.connections }).toEqual({
      code: "request_invalid",
      sent: false,
      connections: 0,
    });
    expect(message).toContain(words);
  });

  it.each(["CONNECT", "TRACE", "GET / HTTP/1.1\r\nx: y\r\n\r\nGET", ""])(
    "with the method %j are not sent",
    async (method) => {
      expect((await failureOf(development.send({ url: at(server.port), method }))).code).toBe("request_invalid");
    },
  );

  it("carry method, headers and body as given", async () => {
    const seen: unknown[] = [];
    server.answer = async (request, response) => {
      seen.push(request.method, request.headers["content-type"], await bodyOf(request));
      json({ done: true }, 201, { "X-Many": "1" })(request, response);
    };
    const headers = { "Content-Type": "text/plain" };
    const answer = await development.send({ url: at(server.port, "/p?q"), method: "patch", headers, body: "Grüße" });
    expect(seen).toEqual(["PATCH", "text/plain", "Grüße"]);
    expect(answer).toMatchObject({
      status: 201,
      headers: { "x-many": "1", "content-type": "application/json" },
      url: at(server.port, "/p?q"),
    });
  });
});
