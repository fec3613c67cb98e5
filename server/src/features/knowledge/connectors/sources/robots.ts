import robotsParser from "robots-parser";
import { SourceFault } from "../../ports.ts";
import { getAt, ROBOT } from "./http.ts";
import type { SourceReading } from "./source.ts";

type Rules = ReturnType<typeof robotsParser.default>;

/** Longest crawl delay (seconds). */
const MOST_DELAY = 60;

/** RFC 9309; read once per sync. */
export function createRobots(reading: SourceReading, allowed: (origin: string) => boolean) {
  const known = new Map<string, Promise<Rules>>();
  const rulesOf = (url: string): Promise<Rules> => {
    const { origin } = new URL(url);
    const rules = known.get(origin) ?? readRules(reading, origin, allowed);
    known.set(origin, rules);
    return rules;
  };
  return {
    allows: async (url: string): Promise<boolean> => (await rulesOf(url)).isAllowed(url, ROBOT) !== false,
    /** Seconds between two requests. */
    delay: async (url: string): Promise<number> => Math.min((await rulesOf(url)).getCrawlDelay(ROBOT) ?? 0, MOST_DELAY),
    sitemaps: async (url: string): Promise<string[]> => (await rulesOf(url)).getSitemaps(),
  };
}

async function readRules(reading: SourceReading, origin: string, allowed: (origin: string) => boolean): Promise<Rules> {
  const address = `${origin}/robots.txt`;
  const answer = await getAt(reading, address, allowed);
  if (answer.status >= 500)
    throw new SourceFault(
      "robots_unavailable",
      `${address} answers ${answer.status}, so nothing may be read there now.`,
      { unreachable: true },
    );
  const text =
    answer.status < 300
      ? Buffer.from(answer.body)
          .subarray(0, 512 * 1024)
          .toString()
      : "";
  return (robotsParser as unknown as typeof robotsParser.default)(address, text);
}
