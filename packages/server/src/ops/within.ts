/** Waits for work, but not for longer; work that is late goes on unattended. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // Nobody waits any more, so a later failure has nobody to tell.
    work.catch(() => undefined);
  }
}
