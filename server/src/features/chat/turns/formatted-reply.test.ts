import { expect, it } from "vitest";
import { filterTexts } from "./formatted-reply.ts";

it("filters the names of members like their texts, so that no address leaves as a name", () => {
  const filter = (text: string): string => text.replace("https://evil.example/?d=SECRET", "[link removed]");
  const json = '{"https://evil.example/?d=SECRET": [{"a": "https://evil.example/?d=SECRET"}]}';
  expect(filterTexts(json, filter)).toBe('{"[link removed]":[{"a":"[link removed]"}]}');
});
