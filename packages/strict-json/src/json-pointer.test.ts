import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePointer, pointerOf, resolvePointer } from "./json-pointer.ts";

describe("JSON Pointer", () => {
  it("resolves the examples of RFC 6901 section 5", () => {
    const document = {
      foo: ["bar", "baz"],
      "": 0,
      "a/b": 1,
      "c%d": 2,
      "e^f": 3,
      "g|h": 4,
      "i\\j": 5,
      'k"l': 6,
      " ": 7,
      "m~n": 8,
    };
    const expected: [string, unknown][] = [
      ["", document],
      ["/foo", ["bar", "baz"]],
      ["/foo/0", "bar"],
      ["/", 0],
      ["/a~1b", 1],
      ["/c%d", 2],
      ["/e^f", 3],
      ["/g|h", 4],
      ["/i\\j", 5],
      ['/k"l', 6],
      ["/ ", 7],
      ["/m~0n", 8],
    ];
    for (const [pointer, value] of expected) expect(resolvePointer(document, pointer)).toEqual(value);
  });

  it("writes and reads any list of names without loss", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom("~", "/", "0", "1", "a", "é") })), (tokens) => {
        expect(parsePointer(pointerOf(tokens))).toEqual(tokens);
      }),
    );
  });

  it("refuses text that is no pointer", () => {
    for (const text of ["foo", "/a~", "/a~2b", "#/a"]) expect(parsePointer(text)).toBeNull();
  });

  it("follows own members and canonical array indexes only", () => {
    expect(resolvePointer({ a: 1 }, "/constructor")).toBeUndefined();
    expect(resolvePointer({ a: [1, 2] }, "/a/01")).toBeUndefined();
    expect(resolvePointer({ a: [1, 2] }, "/a/-")).toBeUndefined();
    expect(resolvePointer({ a: [1, 2] }, "/a/length")).toBeUndefined();
    expect(resolvePointer({ a: [1, 2] }, "not a pointer")).toBeUndefined();
  });
});
