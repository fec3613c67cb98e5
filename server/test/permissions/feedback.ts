/** Feedback on tasks. */
export const rows = `
                            vwr opr bld evl apr aud adm
tasks.giveFeedback           ·   ✓   ✓   ✓   ✓   ·   ✓
tasks.listFeedback           ✓   ✓   ✓   ✓   ✓   ✓   ✓
`;
