import table from "./prices.json" with { type: "json" };

/** Tokens of one model call, as far as the provider reported them: whole numbers. `input` counts all input, cached or not; `output` reasoning too. */
export interface BilledTokens {
  readonly input: number;
  /** Of `input`: read from the provider's cache. */
  readonly cached: number;
  /** Of `input`: written to the provider's cache. */
  readonly cacheWrite: number;
  readonly output: number;
}

/** US dollars per million tokens. */
interface Rates {
  readonly input: number;
  /** Input read from the provider's cache; without it such input costs what other input does. */
  readonly cached?: number;
  /** Input written to the provider's cache; without it such input costs what other input does. */
  readonly cache_write?: number;
  readonly output: number;
}

/** The price of a model of a provider. Its dated snapshots (`-20251114`, `-2025-11-14`) and `-latest` cost the same, unless they have an entry of their own. */
export interface Price extends Rates {
  readonly provider: string;
  readonly name: string;
  /** What every token of a call costs whose input is longer than `above` tokens. */
  readonly long?: Rates & { readonly above: number };
}

/** A price table: what each model costs, and where and when that was read. */
export interface PriceTable {
  readonly sources: Readonly<Record<string, { readonly address: string; readonly as_of: string }>>;
  readonly prices: readonly Price[];
}

/** The list prices that come with this release. */
export const priceTable: PriceTable = table;

/** What a model call costs, and by which list: `source` names where the price was read and when. */
export interface Cost {
  readonly usd: number;
  readonly source: string;
}

/**
 * What a call of a model costs in US dollars at list price. Null where the table has no price for it, such as for a server of one's own: the amount is then
 * unknown, not nothing, and only the tokens can be counted.
 */
export function costOf(
  provider: string,
  name: string,
  tokens: BilledTokens,
  from: PriceTable = priceTable,
): Cost | null {
  const price = priceOf(provider, name, from);
  if (!price) return null;
  const rates: Rates = price.long && tokens.input > price.long.above ? price.long : price;
  const plain = Math.max(0, tokens.input - tokens.cached - tokens.cacheWrite);
  const micro =
    plain * rates.input +
    tokens.cached * (rates.cached ?? rates.input) +
    tokens.cacheWrite * (rates.cache_write ?? rates.input) +
    tokens.output * rates.output;
  const source = from.sources[provider];
  return { usd: micro / 1e6, source: source ? `${source.address} as of ${source.as_of}` : "price table" };
}

/** The source of a price that the settings of a model or a knowledge base name. */
export const ownPrice = "own price";

/** What a call costs in US dollars at a price of one's own, in US dollars per million tokens, cached or not. */
export function ownCost(
  price: Pick<Rates, "input" | "output">,
  tokens: Pick<BilledTokens, "input" | "output">,
): number {
  return (tokens.input * price.input + tokens.output * price.output) / 1e6;
}

/** The entry of a table that a model is billed by; undefined where there is none. */
export function priceOf(provider: string, name: string, from: PriceTable = priceTable): Price | undefined {
  const find = (wanted: string): Price | undefined =>
    from.prices.find((price) => price.provider === provider && price.name === wanted);
  return find(name) ?? find(name.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, ""));
}
