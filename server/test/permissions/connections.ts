/** Accounts at providers of models and at services that tools call. */
export const rows = `
                            vwr opr bld evl apr aud adm
admin.listConnections        ·   ·   ·   ·   ·   ·   ✓
admin.addConnection          ·   ·   ·   ·   ·   ·   ✓
admin.testConnection         ·   ·   ·   ·   ·   ·   ✓
admin.removeConnection       ·   ·   ·   ·   ·   ·   ✓
`;
