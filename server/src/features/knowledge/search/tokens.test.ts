import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokensOf } from "./tokens.ts";

const words = (text: string): string[] => tokensOf(text).map(({ word }) => word);

describe("the words of a text", () => {
  it.each([
    ["Parcels are sent back.", ["parcels", "are", "sent", "back"]],
    ["set max_wal_size", ["set", "max_wal_size", "max", "wal", "size"]],
    ["fastify.register(x)", ["fastify.register", "fastify", "register", "x"]],
    ["createReadStream", ["createreadstream", "create", "read", "stream"]],
    ["HTTPServer and ETag", ["httpserver", "http", "server", "and", "etag", "e", "tag"]],
    ["E1234, v1.2", ["e1234", "v1.2", "v1", "2"]],
    ["返品期限は三十日です", ["返品", "期限", "は", "三十日", "です"]],
    ["PostgreSQL数据库备份", ["postgresql", "postgre", "sql", "数据", "库", "备份"]],
    ["การสำรองข้อมูล", ["การ", "สํารอง", "ข้อมูล"]],
    ["데이터를 백업", ["데이", "이터", "터를", "백업"]],
    ["犬", ["犬"]],
    ["ﬁnd Ａ１", ["find", "a1"]],
    ["--- !!!", []],
  ])("%s", (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it("stand where they say", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        for (const { word, start, end } of tokensOf(text)) {
          expect(start).toBeLessThan(end);
          expect(text.slice(start, end).normalize("NFKC").toLowerCase()).toBe(word);
        }
      }),
    );
  });
});
