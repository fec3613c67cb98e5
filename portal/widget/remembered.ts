/** The conversation that a user had with an agent in this browser; nothing where the page may keep nothing. */
export function remembered({ agent, user }: { readonly agent: string; readonly user: string }) {
  const name = `aos-chat ${agent} ${user}`;
  return {
    read(): string | null {
      try {
        return localStorage.getItem(name);
      } catch {
        return null;
      }
    },
    write(id: string | null): void {
      try {
        if (id === null) localStorage.removeItem(name);
        else localStorage.setItem(name, id);
      } catch {
        // The next page begins again.
      }
    },
  };
}
