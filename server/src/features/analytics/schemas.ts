// Shapes of the analytics slice on the wire.

export * from "./alerts-schemas.ts";
export * from "./chargeback-schemas.ts";
export * from "./experiment-schemas.ts";
export * from "./figures-schemas.ts";
export * from "./quality-schemas.ts";
export { AnalyticsSchema, QueryAnswer, QueryBody } from "./query-schemas.ts";
export { Rebuild, RebuildBody } from "./rebuild-schemas.ts";
export * from "./reports-schemas.ts";
export * from "./window-schemas.ts";
