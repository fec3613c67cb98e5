import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { portalAddresses } from "../../server/src/http/portal/addresses.ts";

it("the service answers at every route of the portal with its page, and at no other address", () => {
  const source = readFileSync(new URL("../src/routes.tsx", import.meta.url), "utf8");
  const routes = [...source.matchAll(/\bpath: "([^"]+)"/g)].map(([, path = ""]) => path.replaceAll("$", ":"));
  expect(routes.sort()).toEqual([...portalAddresses].sort());
});
