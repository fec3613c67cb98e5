import type { CursorSealer } from "../kernel/context.ts";
import { refuse } from "../kernel/errors.ts";
import { decodeCursor, encodeCursor } from "../kernel/page.ts";
import type { Scope } from "../kernel/principal.ts";
import { invalidCursor } from "../kernel/problems.ts";

/** Cursors of one operation in one scope, sealed with the installation's cursor key. */
export function cursorsOf(key: Uint8Array, operation: string, scope: Scope): CursorSealer {
  return {
    seal: (position, filter, sort) => encodeCursor(position, { operation, filter, sort, scope }, key),
    open: (cursor, filter, sort) => {
      if (cursor === undefined) return undefined;
      const result = decodeCursor(cursor, { operation, filter, sort, scope }, key);
      if (result.ok) return result.position;
      throw refuse(invalidCursor, `cursor: ${result.fault.detail}`, { errors: [result.fault] });
    },
  };
}
