// Shapes of drafts and versions on the wire. What both need and agents/schemas.ts has comes from definition.ts: this file is a part of schemas.ts.

export {};
