// Shapes of what people do with approvals besides voting. A part of schemas.ts, which it does not import.

export {};
