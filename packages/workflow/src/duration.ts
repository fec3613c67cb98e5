const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** As files write durations: `90s`, `1h30m`, `2d`. */
export const durationPattern = "^(?:[0-9]{1,6}(?:ms|s|m|h|d))+$";

/** Milliseconds of a duration such as `1h30m`. Throws a RangeError for any other text. */
export function durationMs(text: string): number {
  if (!new RegExp(durationPattern).test(text)) throw new RangeError(`${text} is no duration such as 90s, 1h30m or 2d`);
  let ms = 0;
  for (const [, count, unit] of text.matchAll(/([0-9]+)(ms|s|m|h|d)/g))
    ms += Number(count) * (units[unit as string] as number);
  return ms;
}
