import { describe, expect, it } from "vitest";
import { scanText } from "./scan-text.ts";

/** What is found, as `format: value`. */
const found = (text: string, name = "", wordsOnly = false): string[] =>
  scanText(text, name, wordsOnly).map(({ format, start, end }) => `${format}: ${text.slice(start, end)}`);

describe("scanning a text", () => {
  it("gives kind, format, class and place, in order", () => {
    expect(scanText("a@example.com +442079460958")).toEqual([
      { kind: "email", format: "email", data_class: "personal", start: 0, end: 13 },
      { kind: "phone", format: "e164", data_class: "personal", start: 14, end: 27 },
    ]);
  });

  it("takes an address as a whole, whatever its local part looks like by itself", () => {
    expect(found("+442079460958@example.com")).toEqual(["email: +442079460958@example.com"]);
    expect(found("X1234567L@example.com")).toEqual(["email: X1234567L@example.com"]);
    expect(found("tsk_01h455vb4pex5vsknk084sn02q@example.com")).toEqual([
      "email: tsk_01h455vb4pex5vsknk084sn02q@example.com",
    ]);
  });

  it("finds the password of an address, and takes it for no e-mail", () => {
    expect(found("postgres://app:p4ss+w0rd@db.example.com/x")).toEqual(["url_password: p4ss+w0rd"]);
    expect(found("see https://example.com/@someone")).toEqual([]);
  });

  it("finds a block with a private key also where it is cut off, and where line ends are escaped", () => {
    const line = `${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"}BKcwggSjAgEAAoIBAQC7`;
    const begin = `-----${"BEGIN"} PRIVATE KEY-----`;
    const end = `-----${"END"} PRIVATE KEY-----`;
    for (const block of [
      `${begin}\n${line}\n${line}\n${end}`,
      `${begin}\\n${line}\\n${end}`,
      `${begin}\n${line}\n${line}`,
    ]) {
      expect(found(`key: ${block}!`)).toEqual([`private_key_block: ${block}`]);
    }
    expect(found(`${begin} ... ${end} are the lines around a key`)).toEqual([]);
  });

  it("takes no network, mask or version for an address", () => {
    expect(found("203.0.113.0/24 203.0.113.9/32 2001:db8::/32")).toEqual(["ipv4: 203.0.113.9"]);
    expect(found("agent 115.0.5790.102, version 30.20.10.5")).toEqual([]);
    expect(found("30.20.10.5 and 30.20.10.5.6")).toEqual(["ipv4: 30.20.10.5"]);
    expect(found("ip 1.2.3.4")).toEqual(["ipv4: 1.2.3.4"]);
    expect(found("30.20.10.5", "version")).toEqual([]);
  });

  it("keeps to the digits of a telephone number where others follow", () => {
    expect(found("+1 202 555 0143 2024")).toEqual(["e164: +1 202 555 0143"]);
    expect(found("+44 (0)20 7946 0958 or (0)20")).toEqual(["e164: +44 (0)20 7946 0958"]);
    expect(found("+15550100 +999123456789 +1 123 555 0100")).toEqual([]);
  });

  it("takes a country code and decimals for a telephone number only where a word says so", () => {
    expect(found("+49.3023125013")).toEqual([]);
    expect(found("fax +49.3023125013")).toEqual(["e164: +49.3023125013"]);
  });

  it("takes a card in printed groups for one, whatever words are near", () => {
    expect(found("order 4111 1111 1111 1111")).toEqual(["visa: 4111 1111 1111 1111"]);
    expect(found("order 4111111111111111")).toEqual([]);
    expect(found("4111111111111111", "card", true)).toEqual(["visa: 4111111111111111"]);
    expect(found("4111111111111111", "", true)).toEqual([]);
  });

  it("reads spaces and hyphens of typesetters between groups", () => {
    expect(found("4111\u00a01111\u00a01111\u00a01111 5555\u20115555\u20115555\u20114444")).toHaveLength(2);
    expect(found("DE89\u202f3704\u202f0044\u202f0532\u202f0130\u202f00")).toHaveLength(1);
  });

  it("finds numbers directly behind letters of scripts without spaces", () => {
    expect(found("卡号4111111111111111，电话+8613800138000")).toEqual([
      "visa: 4111111111111111",
      "e164: +8613800138000",
    ]);
  });

  it("finds nothing in an empty text", () => {
    expect(scanText("")).toEqual([]);
  });
});
