interface CommandErrorOptions {
  code: string;
  exitCode: number;
  /** What --json prints in place of the error. */
  document?: unknown;
}

/** A command could not do what was asked for, as foreseen: the message says why, and what to do next. */
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

/** The call itself is wrong. */
export const usageError = (message: string) => new CommandError(message, { code: 'VALIDATION_ERROR', exitCode: 2 });

/** A command has said all there is to say, and ends with another code than 0. */
export class CommandEnd extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`ended with ${exitCode}`);
    this.name = 'CommandEnd';
    this.exitCode = exitCode;
  }
}
