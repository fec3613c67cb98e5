import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAuthenticated, type ReceivedMail, readMail, withoutQuoted } from "./parse.ts";

const config = { address: "help@example.org", trust_authentication_results: "mx.example.org" };
const basic = {
  From: "Ana Lopez <ana@example.com>",
  To: "help@example.org",
  "Message-ID": "<1@example.com>",
  Subject: "Order",
};

function mail(headers: Record<string, string> = {}, body = "Where is my order?"): Buffer {
  const lines = Object.entries({ ...basic, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}\r\n`);
}
const read = async (headers?: Record<string, string>, body?: string) =>
  (await readMail(mail(headers, body), config)) as ReceivedMail;
const ignored = async (headers: Record<string, string>, more: object = {}) =>
  ((await readMail(mail(headers), { ...config, ...more })) as { ignored?: string }).ignored ?? null;

describe("a message of a mailbox", () => {
  it("is read with its sender, thread, text and files", async () => {
    const body = [
      "--b",
      "Content-Type: text/plain; charset=iso-8859-1",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "Gr=FC=DFe",
      "--b",
      "Content-Type: text/html",
      "",
      "<p>Other</p>",
      "--b",
      'Content-Type: application/pdf; name="../a.pdf"',
      "Content-Disposition: attachment",
      "",
      "%PDF",
      "--b--",
    ].join("\r\n");
    const headers = {
      "Content-Type": 'multipart/mixed; boundary="b"',
      "In-Reply-To": "<3@x>",
      References: "<1@x> <2@x> <3@x>",
    };
    const found = await read(headers, body);
    expect(found).toMatchObject({
      id: "1@example.com",
      root: "1@x",
      answers: ["3@x", "3@x", "2@x", "1@x"],
      subject: "Order",
      from: { address: "ana@example.com", name: "Ana Lopez" },
      verified: false,
      files: [{ mediaType: "application/pdf", name: ".._a.pdf" }],
    });
    expect(found.text).toContain("Grüße");
  });

  it("that is a page alone is read as text, without pictures and what it quotes", async () => {
    const page = '<p>Yes, <b>please</b></p><img src="https://t.example/x.png"><div class="gmail_quote">Old</div>';
    expect((await read({ "Content-Type": "text/html" }, page)).text).toBe("Yes, please");
  });

  it("is left alone where a machine has sent it, a list, or this mailbox itself", async () => {
    const kinds: [Record<string, string>, string][] = [
      [{ "Auto-Submitted": "auto-replied" }, "automatic"],
      [{ "X-Auto-Response-Suppress": "All" }, "automatic"],
      [{ Precedence: "bulk" }, "automatic"],
      [{ From: "MAILER-DAEMON@example.com" }, "automatic"],
      [{ "Return-Path": "<>" }, "bounce"],
      [{ "Content-Type": "multipart/report; report-type=delivery-status; boundary=b" }, "bounce"],
      [{ "List-Id": "<news.example.com>" }, "list"],
      [{ From: "Help <HELP@example.org>" }, "own"],
      [{ From: "a@example.com, b@example.com" }, "no_sender"],
      [{ From: "undisclosed" }, "no_sender"],
    ];
    for (const [headers, why] of kinds) expect([headers, await ignored(headers)]).toEqual([headers, why]);
    expect(await ignored({ "Auto-Submitted": "no" })).toBe(null);
    expect(await ignored({}, { unverified: "ignore" })).toBe("unverified");
  });

  it("holds nothing that cannot be stored: one that could not would keep the mailbox from being read on", async () => {
    const word = (text: string) => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;
    const long = (characters: number) => word(`${"x".repeat(characters - 1)}😀😀`);
    const file = `Content-Type: application/pdf; name="${word(`😀${"x".repeat(199)}`)}"`;
    const parts = ["--b", "", `${"x".repeat(31_959)}${"😀".repeat(50)}`, "--b", file];
    const body = [...parts, "Content-Disposition: attachment", "", "%PDF", "--b--"].join("\r\n");
    const headers = [
      { Subject: word("a\0b"), "Message-ID": "<a\0b@x>", References: "<c\0@x>" },
      { Subject: long(200), From: `${long(100)} <ana@example.com>`, "Content-Type": 'multipart/mixed; boundary="b"' },
    ];
    for (const one of headers) {
      const { files, ...mail } = await read(one, body);
      const stored = JSON.stringify([mail, files.map(({ name }) => name)]);
      expect(/\\u0000|\\ud[89a-f]/.test(stored)).toBe(false);
    }
    expect((await read({ Subject: word("a\0b") })).subject).toBe("a b");
  });

  it("has the same name each time where it brings none", async () => {
    const [one, two] = [await read({ "Message-ID": "" }), await read({ "Message-ID": "" })];
    expect(one.id).toMatch(/^sha256\./);
    expect(two.id).toBe(one.id);
  });

  it("of any bytes is read or ignored, and throws nothing", async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.string().map((text) => mail({}, text)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (source) => {
        await readMail(source, config);
      }),
    );
  });
});

describe("a sender", () => {
  const says = (value: string) => ({ key: "authentication-results", value });
  const pass = says("mx.example.org; spf=pass smtp.mailfrom=x; dmarc=pass (p=REJECT) header.from=example.com");
  const verified = (...fields: { key: string; value: string }[]) =>
    isAuthenticated(fields, "mx.example.org", "ana@example.com");

  it("is verified where the operator's own server says that DMARC passed for their domain", () => {
    expect(verified(pass)).toBe(true);
    expect(isAuthenticated([pass], undefined, "ana@example.com")).toBe(false);
    expect(isAuthenticated([pass], "mx.example.org", "ana@example.net")).toBe(false);
  });

  it("is not by what others say, comments, other methods, or a header below that of the server", () => {
    expect(verified(says("mx.evil.example; dmarc=pass header.from=example.com"))).toBe(false);
    expect(verified(says("mx.evil.example (mx.example.org); dmarc=pass header.from=example.com"))).toBe(false);
    expect(verified(says("mx.example.org; spf=pass (; dmarc=pass header.from=example.com)"))).toBe(false);
    expect(verified(says("mx.example.org; dmarc=fail reason=pass header.from=example.com"))).toBe(false);
    expect(verified(says("mx.example.org; dkim=pass header.from=example.com"))).toBe(false);
    expect(verified(says("mx.example.org; dmarc=fail header.from=example.com"), pass)).toBe(false);
    const failed = "dmarc=fail header.from=example.com";
    const told = 'spf=pass smtp.mailfrom="x; dmarc=pass header.from=example.com y"@evil.example';
    expect(verified(says(`mx.example.org; ${told}; ${failed}`))).toBe(false);
    for (const local of ['"x("', '"x\\"("', '"x'])
      expect(verified(says(`mx.example.org; spf=pass smtp.mailfrom=${local}@evil.example; ${failed}`), pass)).toBe(
        false,
      );
  });
});

describe("what a person wrote", () => {
  const answer = "Yes, please.\n\nAna";
  const below = [
    "-- \nAna Lopez\nExample Ltd",
    "On Mon, 23 Nov 2026 at 09:00, Help <help@example.org> wrote:\n> Shall I?",
    "On Mon, 23 Nov 2026 at 09:00, Example Support\n<help@example.org> wrote:\n\n> Shall I?\n> \n",
    "Am 23.11.26 um 09:00 schrieb Help:\n> Soll ich?",
    "Le 23 nov. 2026 à 09:00, Help a écrit :\n> Dois-je ?",
    "-----Original Message-----\nFrom: Help\nSent: Monday\n\nShall I?",
    "________________________________\nVon: Help <help@example.org>\nGesendet: Montag\nAn: Ana\nBetreff: Order\n\nSoll ich?",
    "> Shall I?\n>> Order?",
  ];

  it("is kept without signature and quotation, in the ways of common mail programs", () => {
    for (const end of below) expect([end, withoutQuoted(`${answer}\n\n${end}`)]).toEqual([end, answer]);
  });

  it("keeps quotations between answers, lines that only begin like an attribution, and a message that is all quotation", () => {
    const inline = "> Which one?\n\nThe blue one.\n\n> When?\n\nToday.";
    expect(withoutQuoted(`${inline}\n\n> Bye`)).toBe(inline);
    const said = "On Monday I ordered a lamp.\nFrom: what I see it is late.";
    expect(withoutQuoted(said)).toBe(said);
    expect(withoutQuoted("> Shall I?")).toBe("> Shall I?");
  });

  it("is always how the text begins, and is not empty unless the text is", () => {
    const line = fc.constantFrom(
      "Hello",
      "> quoted",
      "On Monday, Ana wrote:",
      "--",
      "-- ",
      "",
      "From: a",
      "Sent: b",
      "Am 1. schrieb A:",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(line).map((lines) => lines.join("\n")),
          fc.string(),
        ),
        (text) => {
          const kept = withoutQuoted(text);
          expect(text.replaceAll(/\r\n?/g, "\n").trimStart().startsWith(kept)).toBe(true);
          expect(kept === "").toBe(text.trim() === "");
        },
      ),
    );
  });
});
