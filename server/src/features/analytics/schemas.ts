// Shapes of the analytics slice on the wire.

export * from "./alerts/schemas.ts";
export * from "./figures/schemas.ts";
export * from "./figures/window-schemas.ts";
export * from "./quality/schemas.ts";
export { ServiceLevels, TeamLevels } from "./quality/service-level-schemas.ts";
export { AnalyticsSchema, QueryAnswer, QueryBody } from "./queries/schemas.ts";
export * from "./reports/schemas.ts";
export { Rebuild, RebuildBody } from "./rollups/rebuild-schemas.ts";
