/** Waits for work, but not for longer: then the answer is undefined, and the work goes on unattended. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // Nobody waits any more, so a later failure has nobody to tell.
    work.catch(() => undefined);
  }
}
