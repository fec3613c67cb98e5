// Shapes of the missions slice on the wire.
export * from "./missions/schemas.ts";
export * from "./plans/schemas.ts";
export * from "./work/schemas.ts";
