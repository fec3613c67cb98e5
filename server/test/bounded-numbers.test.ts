import { expect, it } from "vitest";
import { publishedOperations } from "../../scripts/checks/registry.ts";
import { describe as describeOperation } from "../src/kernel/operation-seal.ts";

/** Places of whole numbers in a schema whose upper bound is missing, or beyond what a double holds exactly. */
function unbounded(schema: unknown, place: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { type, maximum } = schema as { type?: unknown; maximum?: unknown };
  const missing = type === "integer" && !(typeof maximum === "number" && maximum <= Number.MAX_SAFE_INTEGER);
  const within = Object.entries(schema).flatMap(([name, value]) => unbounded(value, `${place}/${name}`));
  return missing ? [place, ...within] : within;
}

it("bounds every whole number that a caller may send", () => {
  const places = publishedOperations()
    .map(describeOperation)
    .flatMap(({ id, params, query, body }) => unbounded({ params, query, body }, id));
  expect(places).toEqual([]);
});
