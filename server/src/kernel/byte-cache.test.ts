import { afterEach, expect, it, vi } from "vitest";
import { ByteCache } from "./byte-cache.ts";

afterEach(() => vi.restoreAllMocks());

const keys = (cache: ByteCache<string>, ...asked: string[]) => asked.map((key) => cache.get(key) !== undefined);

it("removes what was used longest ago when its bytes are more than the bound", () => {
  const cache = new ByteCache<string>(100);
  cache.set("a", "A", 40);
  cache.set("b", "B", 40);
  cache.get("a");
  cache.set("c", "C", 40);
  expect([keys(cache, "a", "b", "c"), cache.bytes]).toEqual([[true, false, true], 80]);
});

it("counts a value that is replaced once", () => {
  const cache = new ByteCache<string>(100);
  for (const bytes of [60, 70, 80]) cache.set("a", "A", bytes);
  expect(cache.bytes).toBe(80);
  cache.delete("a");
  expect([cache.bytes, cache.get("a")]).toEqual([0, undefined]);
});

it("removes what was not used since a time", () => {
  const cache = new ByteCache<string>(100);
  cache.set("a", "A", 10);
  cache.set("b", "B", 10);
  cache.deleteUnused(0);
  expect(cache.bytes).toBe(20);
  const later = performance.now() + 1_000;
  vi.spyOn(performance, "now").mockReturnValue(later);
  cache.get("a");
  cache.deleteUnused(later);
  expect([keys(cache, "a", "b"), cache.bytes]).toEqual([[true, false], 10]);
});

it("keeps the newest value alone where it is larger than the bound", () => {
  const cache = new ByteCache<string>(100);
  cache.set("a", "A", 10);
  cache.set("b", "B", 1_000);
  expect([keys(cache, "a", "b"), cache.bytes]).toEqual([[false, true], 1_000]);
});
