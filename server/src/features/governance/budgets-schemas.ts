// Shapes of budgets on the wire. A part of schemas.ts, which it does not import.

export {};
