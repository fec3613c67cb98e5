import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const wellKnown = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** Starts a browser for a test: the one that AOS_CHROMIUM names, else one at a well-known path. Fails with the remedy where there is none. */
export async function launchChromium(): Promise<Browser> {
  const named = process.env.AOS_CHROMIUM;
  const executablePath = (named ? [named] : wellKnown).find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error(
      "The tests of pages need Chromium, and there is none: run `apt-get install chromium`, or set AOS_CHROMIUM to the path of a Chromium or Chrome.",
    );
  }
  const args = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  if (process.getuid?.() === 0) args.push("--no-sandbox");
  return chromium.launch({ executablePath, headless: true, args });
}
