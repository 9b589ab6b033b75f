/** Resolves to the result of the work, or to undefined if it takes longer than this. The work itself continues. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // Avoids an unhandled rejection if the work fails later.
    work.catch(() => undefined);
  }
}
