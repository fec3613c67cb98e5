import robotsParser from "robots-parser";
import { SourceFault } from "../../ports.ts";
import { getAt, ROBOT } from "./http.ts";
import type { Looking } from "./source.ts";

type Rules = ReturnType<typeof robotsParser.default>;

/** Crawl delays beyond this count as this: seconds. */
const MOST_DELAY = 60;

/** What the robots.txt of each origin says (RFC 9309). Read once for each sync. */
export function createRobots(looking: Looking, allowed: (origin: string) => boolean) {
  const known = new Map<string, Promise<Rules>>();
  const rulesOf = (url: string): Promise<Rules> => {
    const { origin } = new URL(url);
    const rules = known.get(origin) ?? readRules(looking, origin, allowed);
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

async function readRules(looking: Looking, origin: string, allowed: (origin: string) => boolean): Promise<Rules> {
  const address = `${origin}/robots.txt`;
  const answer = await getAt(looking, address, allowed);
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
