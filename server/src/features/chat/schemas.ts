// Shapes of the chat slice on the wire.

export * from "./channel-schemas.ts";
export * from "./conversations-schemas.ts";
export * from "./export-schemas.ts";
export * from "./feedback-schemas.ts";
export * from "./files-schemas.ts";
export * from "./handoff-schemas.ts";
export * from "./memory-schemas.ts";
export * from "./messages-schemas.ts";
export * from "./search-schemas.ts";
export * from "./token-schemas.ts";
