// Shapes of the knowledge slice on the wire.
export * from "./bases-schemas.ts";
export * from "./chunks-schemas.ts";
export * from "./documents-schemas.ts";
export * from "./search-schemas.ts";
