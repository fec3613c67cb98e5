import { setTimeout as delay } from "node:timers/promises";
import { type SourceAnswer, SourceFault } from "../../ports.ts";
import type { JsonApiSource } from "../source-schemas.ts";
import { answerFault, request } from "./http.ts";
import { parseJson } from "./json-place.ts";
import type { SourceReading } from "./source.ts";

/** Tries of one request that is refused for its rate, and milliseconds that one pause may take. */
const MOST = { tries: 6, pause: 300_000 };

export interface JsonAnswer {
  readonly value: unknown;
  readonly headers: SourceAnswer["headers"];
}

/** Asks one thing at a time, as often as the API allows. Null: it is not there. */
export function createJsonClient(source: JsonApiSource, reading: SourceReading) {
  const least = (source.delay_seconds ?? 0) * 1000;
  let free = Number.NEGATIVE_INFINITY;
  let last: Promise<unknown> = Promise.resolve();

  const ask = async (url: string): Promise<SourceAnswer> => {
    await delay(Math.max(0, free - performance.now()), undefined, { signal: reading.signal });
    try {
      return await request(reading, { url, headers: { accept: "application/json" } });
    } finally {
      free = performance.now() + least;
    }
  };
  const patiently = async (url: string): Promise<SourceAnswer> => {
    for (let tries = 1; ; tries++) {
      const answer = await ask(url);
      const pause = pauseOf(answer, tries, reading.now());
      if (pause === null || tries === MOST.tries) return answer;
      if (pause > MOST.pause) throw tooLong(url, pause);
      await delay(pause, undefined, { signal: reading.signal });
    }
  };
  const read = async (url: string): Promise<JsonAnswer | null> => {
    const answer = await patiently(url);
    if (answer.status === 404 || answer.status === 410) return null;
    if (answer.status !== 200) throw answerFault(answer, url);
    const parsed = parseJson(answer.body);
    if (parsed === null) throw new SourceFault("not_json", `${url} does not answer in JSON. Check the address.`);
    return { value: parsed.value, headers: answer.headers };
  };

  return {
    read(url: string): Promise<JsonAnswer | null> {
      const turn = last.then(() => read(url));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** Milliseconds that the answer asks to wait; null: it does not. */
export function pauseOf({ status, headers }: SourceAnswer, tries: number, now: number): number | null {
  const after = headers["retry-after"];
  if (status !== 429 && (status !== 503 || after === undefined)) return null;
  if (after === undefined) return 1000 * 2 ** (tries - 1);
  if (/^\d{1,9}$/.test(after)) return Number(after) * 1000;
  const at = Date.parse(after);
  return Number.isNaN(at) ? 1000 * 2 ** (tries - 1) : Math.max(0, at - now);
}

function tooLong(url: string, pause: number): SourceFault {
  const detail = `\`${new URL(url).host}\` asks to wait ${Math.ceil(pause / 60_000)} minutes. Sync later, or less often.`;
  return new SourceFault("rate_limited", detail);
}
