/** The kill switch. */
export const rows = `
                            vwr opr bld evl apr aud adm
governance.engageStop        ·   ✓   ✓   ✓   ✓   ·   ✓
governance.releaseStop       ·   ·   ·   ·   ✓   ·   ✓
governance.listStops         ✓   ✓   ✓   ✓   ✓   ✓   ✓
`;
