/** The MAC of a record (`audit-log/mac.ts`) as SQL, for rows that a benchmark copies in bulk. HMAC as RFC 2104 has it, over PostgreSQL's own sha256. */
export function recordMacSql(key: Buffer, fields: readonly string[]): string {
  const pad = (byte: number): string => {
    const block = Buffer.alloc(64, byte);
    for (const [i, value] of key.entries()) block[i] = value ^ byte;
    return `'\\x${block.toString("hex")}'::bytea`;
  };
  const encoded = fields.map((field) => `coalesce(length((${field})::text) || ':' || (${field})::text, '-')`);
  return `sha256(${pad(0x5c)} || sha256(${pad(0x36)} || convert_to('aos audit record 1' || ${encoded.join(" || ")}, 'UTF8')))`;
}
