// Shapes of batches, changes, events, steps and results on the wire. A part of schemas.ts, which it does not import.

export {};
