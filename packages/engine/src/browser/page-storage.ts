/** What scripts of a site have kept in a browser. */
export interface PageStorage {
  origin: string;
  local: Readonly<Record<string, string>>;
  session: Readonly<Record<string, string>>;
}

/** Run in every document before its own scripts. What the site has kept since then stays. */
export function fillStorage({ origin, local, session }: PageStorage): string {
  const entries = JSON.stringify([local, session]);
  return `if (self.origin === ${JSON.stringify(origin)}) try {
    const kept = ${entries};
    [localStorage, sessionStorage].forEach((storage, index) => {
      for (const [key, value] of Object.entries(kept[index])) {
        if (storage.getItem(key) === null) storage.setItem(key, value);
      }
    });
  } catch {}`;
}
