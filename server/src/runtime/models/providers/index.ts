export {
  baseUrlOf,
  type ProviderModelDefinition,
  type ProviderModelSettings,
  type ProviderName,
} from "./definition.ts";
export { ProviderFailure, type ProviderFailureCode } from "./failures.ts";
export { type BilledTokens, type Cost, costOf, ownCost, ownPrice, type PriceTable, priceTable } from "./prices.ts";
export type { Fetch, ProviderParts, ProviderTimes } from "./provider-model.ts";
export type { RetryLimits } from "./retries.ts";

/** Loads the providers' packages, at the first use: most starts need none of them, and they are a sixth of what a start would load. */
export const loadProviderModels = () => import("./provider-model.ts");
