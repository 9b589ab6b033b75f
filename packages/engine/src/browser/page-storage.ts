/** Local and session storage of a site. */
export interface PageStorage {
  origin: string;
  local: Readonly<Record<string, string>>;
  session: Readonly<Record<string, string>>;
}

/** Returns a script that runs in every document before its own scripts. Keeps values that the site has stored since. */
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
