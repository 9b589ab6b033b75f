import { CommanderError } from 'commander';
import { CommandError } from './command-error.ts';

export interface DescribedError {
  code: string;
  message: string;
  field?: string | undefined;
  /** For unexpected errors only, whose message alone does not help. */
  stack?: string | undefined;
}

export async function describeError(error: unknown): Promise<DescribedError> {
  if (error instanceof CommanderError) return { code: 'VALIDATION_ERROR', message: usageMessage(error) };
  if (error instanceof CommandError) return { code: error.code, message: error.message };
  const { AppError, StartupError } = await import('@sortie/server');
  if (error instanceof AppError) return { code: error.code, message: error.message, field: error.field };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const isForeseen = error instanceof StartupError;
  return { code: 'INTERNAL_ERROR', message, stack: isForeseen ? undefined : stack };
}

function usageMessage({ code, message }: CommanderError): string {
  // Without a command, commander prints the help instead of an error.
  if (code === 'commander.help') return 'command missing; --help lists the commands';
  return message.replace(/^error: /, '');
}
