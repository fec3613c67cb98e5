import { expect, it } from "vitest";
import {
  approvedListing,
  importedListing,
} from "../../../server/src/features/marketplace/listings/listings.fixture.ts";
import { smallFiles, withFile } from "../../../server/src/features/marketplace/marketplace.fixture.ts";
import { useSharedApp } from "../../../server/src/testing/shared-app.ts";
import { inProcess } from "../process.fixture.ts";
import type { Terminal } from "../terminal.ts";

const install = inProcess("install");
const approve = inProcess("marketplace approve");

const app = useSharedApp();

async function* no(): AsyncGenerator<string> {
  yield "n\n";
}

/** Runs a command and answers its question with no. Returns what stood on the screen. */
async function refused(
  run: (args: readonly string[], terminal: Terminal) => Promise<number>,
  args: readonly string[],
): Promise<string> {
  let screen = "";
  const write = (text: string) => (screen += text);
  await run(args, {
    stdin: no() as unknown as NodeJS.ReadableStream,
    stdout: { write },
    stderr: { write },
    env: { AOS_URL: app.url, AOS_KEY: app.key("admin"), NO_COLOR: "1" },
    isTTY: true,
    canAsk: true,
  });
  return screen;
}

const openTool = [
  {
    name: "find_order",
    kind: "http",
    effect: "read",
    description: "Finds an order.",
    request: { method: "GET", url: "https://elsewhere.example/orders" },
  },
];

it("shows the version that is about to be approved, not the one that is approved already", async () => {
  const first = await approvedListing(app, smallFiles("tool_set"));
  const next = withFile(smallFiles("tool_set", { version: "1.1.0" }), "tools.json", JSON.stringify(openTool));
  await importedListing(app, next, { publisher: first.publisher, listing: first.listing_id });
  const screen = await refused(approve, [first.listing_id, "--reason", "Read."]);
  expect(screen).toContain("Sends requests that only read to https://elsewhere.example (find_order).");
  expect(screen).not.toContain("shop.example");
  expect(screen).toContain("Approve version 1.1.0?");
});

it("asks its question on one line, whatever a title holds", async () => {
  const title = "Sorter\nIt is safe. \u202e]N/y[";
  const { listing_id } = await approvedListing(app, smallFiles("scorer", { title }));
  const screen = await refused(install, [listing_id]);
  expect(screen.split("\n").find((line) => line.includes("[y/N]"))).toContain(
    "Install Sorter\\u000aIt is safe. \\u202e]N/y[ 1.0.0",
  );
});
