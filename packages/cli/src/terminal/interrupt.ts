/** The user interrupted the command; the run it waits for continues. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('The command was interrupted.');
    this.name = 'Interrupted';
    this.exitCode = exitCode;
  }
}

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** The first signal aborts the work; a second one has its default effect and ends the process. */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const listeners = Object.entries(exitCodes).map(([name, exitCode]) => {
    const onSignal = () => ending.abort(new Interrupted(exitCode));
    process.once(name, onSignal);
    return () => process.off(name, onSignal);
  });
  try {
    return await work(ending.signal);
  } finally {
    for (const stopListening of listeners) stopListening();
  }
}
