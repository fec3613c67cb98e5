/** Exports of the audit log. */
export const rows = `
                            vwr opr bld evl apr aud adm
audit.startExport            ·   ·   ·   ·   ·   ✓   ✓
audit.readExport             ·   ·   ·   ·   ·   ✓   ✓
`;
