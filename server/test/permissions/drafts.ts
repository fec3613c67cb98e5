/** Drafts and versions of agents. */
export const rows = `
                            vwr opr bld evl apr aud adm
agents.createAgent           ·   ·   ✓   ·   ·   ·   ✓
agents.changeDraft           ·   ·   ✓   ·   ·   ·   ✓
agents.archiveAgent          ·   ·   ✓   ·   ·   ·   ✓
agents.compareDraft          ✓   ✓   ✓   ✓   ✓   ✓   ✓
agents.listVersions          ✓   ✓   ✓   ✓   ✓   ✓   ✓
agents.freezeVersion         ·   ·   ✓   ·   ·   ·   ✓
agents.readVersion           ✓   ✓   ✓   ✓   ✓   ✓   ✓
`;
