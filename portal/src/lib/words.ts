/** A count with its noun: `1 task`, `3 tasks`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** `awaiting_approval` → `Awaiting approval`. */
export function spoken(word: string): string {
  const text = word.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A share between 0 and 1, in whole percent. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Money in US dollars: small sums with the digits that matter. */
export function usd(amount: number): string {
  if (amount === 0) return "$0";
  return amount < 0.01
    ? `$${amount.toPrecision(2)}`
    : amount.toLocaleString("en", { style: "currency", currency: "USD" });
}

const toTheMillionth = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "USD",
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});

/** Money in US dollars to the millionth, in which it is counted: for sums that are to be compared. */
export const exactUsd = (amount: number): string => toTheMillionth.format(amount);

/** A length of time in ms, as people say it. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
  return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`;
}

const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Characters that show nothing, or turn what stands around them, written out: what an approver reads is what is there. */
export const visible = (text: string): string =>
  text.replace(HIDDEN, (character) =>
    character === "\n" || character === "\t"
      ? character
      : `[U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
