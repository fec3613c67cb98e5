import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchChromium } from "../../src/http/pages/chromium.fixture.ts";
import { dispatchOne } from "../bodies.ts";
import type { Bench, Figure } from "../figure.ts";
import { median } from "../pairs.ts";
import { Missing } from "../programs.ts";
import type { Service } from "../service.ts";

const slower = 4;
const waiting = 25;
const viewport = { width: 1360, height: 900 };
/** How long no task may be long before the page counts as at rest (milliseconds). */
const restMs = 1_000;

/** One loading of the inbox, from the beginning of the navigation. */
interface Loading {
  /** Until the list and the first button that approves are painted (milliseconds). */
  readonly seen: number;
  /** The same, or the end of the last task over 50 ms where that is later (milliseconds). */
  readonly interactive: number;
  /** What the page's own thread took of the processor until it was at rest, slowed down as it was (milliseconds): others on the machine change it little. */
  readonly worked: number;
  readonly scripts: number;
  /** Bytes of script, as they came over the wire and as they are run. */
  readonly compressed: number;
  readonly plain: number;
}

/** What an approver waits for: the portal's inbox, opened by its address, in a browser that has never been there. */
export const portal: Figure = {
  name: "portal",
  title: `script of the portal's inbox, and time until it can be used with a ${slower} times slower processor`,
  run: (bench) =>
    bench.withService(async (service) => {
      const browser = await launchChromium().catch((error: Error) => {
        throw new Missing(error.message);
      });
      bench.onEnd(() => browser.close());
      try {
        return await measured(bench, service, browser);
      } finally {
        await browser.close();
      }
    }),
};

async function measured(bench: Bench, service: Service, browser: Browser) {
  await fillInbox(service);
  const rounds = bench.quick ? 3 : 11;
  bench.say(
    `  Chromium ${browser.version()} without a window, ${viewport.width} × ${viewport.height}, processor of the page ${slower} × slower (Emulation.setCPUThrottlingRate), loopback`,
  );
  bench.say(
    `  ${waiting} approvals wait; ${rounds} rounds after one to warm up; first: nothing kept of earlier visits; again: with the files kept`,
  );
  const first: Loading[] = [];
  const again: Loading[] = [];
  for (let round = 0; round <= rounds; round++) {
    const context = await browser.newContext({ viewport });
    await signIn(context, service);
    const loadings = [await load(context, service.url), await load(context, service.url)] as const;
    await context.close();
    if (round === 0) continue;
    first.push(loadings[0]);
    again.push(loadings[1]);
    const told = loadings.map(
      ({ seen, interactive, worked }) =>
        `seen ${seen.toFixed(0)}, interactive ${interactive.toFixed(0)}, processor ${worked.toFixed(0)} ms`,
    );
    bench.say(`  first: ${told[0]}; again: ${told[1]}`);
  }
  const [{ scripts, compressed, plain }] = first as [Loading];
  bench.say(`  ${scripts} scripts, ${(plain / 1000).toFixed(0)} KB of text (1 KB is 1,000 bytes)`);
  const seconds = (of: readonly Loading[], what: "seen" | "interactive" | "worked"): number =>
    median(of.map((one) => one[what])) / 1000;
  return [
    { what: "script, compressed", value: compressed / 1000, unit: "KB", bar: 200, aim: 130, better: "lower" },
    {
      what: `interactive, ${slower} × slower`,
      value: seconds(first, "interactive"),
      unit: "s",
      bar: 1.5,
      aim: 0.8,
      better: "lower",
    },
    {
      what: "list and button painted",
      value: seconds(first, "seen"),
      unit: "s",
      bar: null,
      aim: null,
      better: "lower",
    },
    { what: "processor time of it", value: seconds(first, "worked"), unit: "s", bar: null, aim: null, better: "lower" },
    {
      what: "interactive, files kept",
      value: seconds(again, "interactive"),
      unit: "s",
      bar: null,
      aim: null,
      better: "lower",
    },
  ] as const;
}

/** Work that waits for the admin, asked for by a program: nobody approves what they have asked for themselves. */
async function fillInbox({ url, key }: Service): Promise<void> {
  const response = await fetch(`${url}/v1/admin/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "bench", role: "operator", for: { service_account: "bench" } }),
  });
  if (response.status !== 201) throw new Error(`issuing a key answered ${response.status}: ${await response.text()}`);
  const made = (await response.json()) as { key: string };
  for (let lead = 0; lead < waiting; lead++) await dispatchOne(url, made.key, lead);
}

async function signIn(context: BrowserContext, { url, key }: Service): Promise<void> {
  const response = await context.request.post(`${url}/auth/session`, { data: { key } });
  if (!response.ok()) throw new Error(`signing in answered ${response.status()}: ${await response.text()}`);
}

/** Runs in the page before all else. It notes when the list and a button that approves are there and painted, and when the last long task ended. */
const noting = `(() => {
  const noted = { seen: 0, busyUntil: 0 };
  window.noted = noted;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) noted.busyUntil = Math.max(noted.busyUntil, startTime + duration);
  }).observe({ type: "longtask", buffered: true });
  const approves = ({ textContent, disabled }) => textContent.startsWith("Approve") && !disabled;
  const watching = new MutationObserver(() => {
    if (!document.querySelector("[aria-label=Approvals] > li") || ![...document.querySelectorAll("main button")].some(approves)) return;
    watching.disconnect();
    requestAnimationFrame(() => setTimeout(() => { noted.seen = performance.now(); }));
  });
  watching.observe(document, { childList: true, subtree: true, attributes: true });
})()`;
const atRest = `new Promise((done, failed) => {
  setTimeout(() => failed(new Error("after a minute there is nothing that could be approved")), 60_000);
  const asked = setInterval(() => {
    if (noted.seen === 0 || performance.now() - Math.max(noted.seen, noted.busyUntil) < ${restMs}) return;
    clearInterval(asked);
    done(noted);
  }, 100);
})`;
const scriptSizes = `performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js"))
  .map(({ encodedBodySize, decodedBodySize }) => [encodedBodySize, decodedBodySize])`;

async function load(context: BrowserContext, url: string): Promise<Loading> {
  const page: Page = await context.newPage();
  // In the process of the page already: a new one would not be slowed down.
  await page.goto(`${url}/healthz`);
  await page.addInitScript(noting);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slower });
  await page.goto(`${url}/approvals`, { waitUntil: "commit" });
  const { seen, busyUntil } = await page.evaluate<{ seen: number; busyUntil: number }>(atRest);
  const sizes = await page.evaluate<[number, number][]>(scriptSizes);
  const { metrics } = await devtools.send("Performance.getMetrics");
  await page.close();
  const sum = (at: 0 | 1): number => sizes.reduce((all, size) => all + size[at], 0);
  const worked = (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1000;
  return {
    seen,
    interactive: Math.max(seen, busyUntil),
    worked,
    scripts: sizes.length,
    compressed: sum(0),
    plain: sum(1),
  };
}
