/** The trust that agents earn. */
export const rows = `
                            vwr opr bld evl apr aud adm
agents.readTrust             ✓   ✓   ✓   ✓   ✓   ✓   ✓
`;
