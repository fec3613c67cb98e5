import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { makeStranger, signedFile, smallFiles, withFile, withPermissions } from "../marketplace.fixture.ts";
import { openBundle } from "./opened.ts";

const publisher = makeStranger();
const fileOf = (readme: string): string =>
  signedFile(withPermissions(withFile(smallFiles("scorer"), "readme.md", readme)), publisher);
/** Opens a file, and says whether it was read. */
async function opened(file: string) {
  let wasRead = false;
  const read = async () => {
    wasRead = true;
    return file;
  };
  return { ...(await openBundle(hash("sha256", file), read)), wasRead };
}

it("reads the same file once", async () => {
  const file = fileOf("Once.");
  const [first, again] = [await opened(file), await opened(file)];
  expect([first.wasRead, again.wasRead, again.contents]).toEqual([true, false, first.contents]);
});

it("reads a file again that others have taken the place of", async () => {
  const files = Array.from({ length: 5 }, (_one, at) => fileOf(`${at}`.repeat(8_000_000)));
  for (const file of files) await opened(file);
  expect([(await opened(files[4] as string)).wasRead, (await opened(files[0] as string)).wasRead]).toEqual([
    false,
    true,
  ]);
});

it("refuses a file that was changed, each time", async () => {
  const changed = fileOf("Mine.").replace("Example Works", "Example Werks");
  for (let at = 0; at < 2; at++)
    await expect(opened(changed)).rejects.toMatchObject({ type: { code: "bundle_refused" } });
});
