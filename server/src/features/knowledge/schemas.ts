// Shapes of the knowledge slice on the wire.

export * from "./bases/schemas.ts";
export * from "./connectors/schemas.ts";
export * from "./documents/schemas.ts";
export * from "./questions/schemas.ts";
export * from "./search/schemas.ts";
export * from "./search/vectors/schemas.ts";
