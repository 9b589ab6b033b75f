/** Errors whose messages name a file or a limit. Other messages may quote data of a target or a test account. */
const SPEAKING = /^(?:E[A-Z]+|(?:ERR_)?MODULE_NOT_FOUND)$/;
const FRAME = /^ {4}at .*:\d+:\d+\)?$/;
const MOST_FRAMES = 6;
const MOST_LETTERS = 1_500;

/** Describes an internal error for the operator's log: type, location, and the message if it quotes no foreign data. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${typeof error}`;
  const { name, message, stack = '' } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const cause = SPEAKING.test(code) ? `${code} ${message.split('\n')[0]}` : code;
  // Lines of the message could look like stack frames.
  const behind = stack.slice(Math.max(0, stack.indexOf(message)) + message.length);
  const frames = behind.split('\n').filter((line) => FRAME.test(line));
  const place = frames.slice(0, MOST_FRAMES).map((line) => line.trim());
  return [name, cause, ...place].filter(Boolean).join(' | ').slice(0, MOST_LETTERS);
}
