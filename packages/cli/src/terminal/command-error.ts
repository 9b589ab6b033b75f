interface CommandErrorOptions {
  code: string;
  exitCode: number;
  /** The document that --json prints instead of the error. */
  document?: unknown;
}

/** An expected failure of a command: the message says why, and what to do next. */
export class CommandError extends Error {
  readonly code: string;
  readonly exitCode: number;
  readonly document: unknown;

  constructor(message: string, { code, exitCode, document }: CommandErrorOptions) {
    super(message);
    this.name = 'CommandError';
    this.code = code;
    this.exitCode = exitCode;
    this.document = document;
  }
}

/** Returns the error for invalid arguments. */
export const usageError = (message: string) => new CommandError(message, { code: 'VALIDATION_ERROR', exitCode: 2 });

/** Ends a command with a nonzero exit code and without further output. */
export class CommandEnd extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`ended with ${exitCode}`);
    this.name = 'CommandEnd';
    this.exitCode = exitCode;
  }
}
