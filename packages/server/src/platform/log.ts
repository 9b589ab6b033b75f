import { fstatSync, writeSync } from 'node:fs';
import { type DestinationStream, pino } from 'pino';

/**
 * All fields that a log line may contain; any other field is dropped. An allowlist is safer than a denylist, which
 * misses the next secret.
 */
const shownFields = [
  'accountId',
  'apiKeyId',
  'count',
  'durationMs',
  'errorAt',
  'errorCode',
  'errorName',
  'job',
  'mailId',
  'method',
  'reason',
  'requestId',
  'route',
  'runId',
  'status',
  'violation',
] as const;

export type LogFields = Partial<Record<(typeof shownFields)[number], string | number | null>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

function onlyShown(fields: Record<string, unknown>): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const name of shownFields) if (fields[name] !== undefined) shown[name] = fields[name];
  return shown;
}

/** Creates a log whose lines contain allowed fields only. */
export function createLog(level: string, destination: DestinationStream = standardError()): Log {
  const formatters = { level: (label: string) => ({ level: label }), log: onlyShown };
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters }, destination);
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  };
}

const STDERR = 2;
/** Limits the buffer for a slow reader: some ten thousand lines. */
const MAX_WAITING_BYTES = 4_000_000;

/** Drops log lines if the reader stops reading or the disk is full, because blocking would stop the service. */
function standardError(): DestinationStream {
  const kind = fstatSync(STDERR);
  return kind.isFIFO() || kind.isSocket() ? createPipe() : { write: writeOrLose };
}

function writeOrLose(line: string): void {
  try {
    writeSync(STDERR, line);
  } catch {
    // No other channel can report the failure.
  }
}

function createPipe(): DestinationStream {
  const { stderr } = process;
  stderr.on('error', () => undefined);
  let lost = 0;
  return {
    write(line) {
      if (stderr.writableLength > MAX_WAITING_BYTES) {
        lost++;
        return;
      }
      if (lost > 0) {
        const time = new Date().toISOString();
        stderr.write(`${JSON.stringify({ level: 'warn', time, count: lost, msg: 'lines lost' })}\n`);
      }
      lost = 0;
      stderr.write(line);
    },
  };
}

/**
 * Returns what may be logged about an error: its class, its code and its location. Messages are omitted, since those of
 * parsers and databases quote their input.
 */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { errorName: typeof error };
  const described: LogFields = { errorName: nameOf(error), errorAt: placeOf(error) };
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') described.errorCode = code;
  if (error.cause instanceof Error) {
    const cause = describeError(error.cause);
    described.errorName += ` < ${cause.errorName}`;
    described.errorAt += ` < ${cause.errorAt}`;
    if (cause.errorCode !== undefined) described.errorCode ??= cause.errorCode;
  }
  return described;
}

/** The database driver names its error class just "error". */
function nameOf(error: Error): string {
  return error.name === 'error' ? error.constructor.name : error.name;
}

const MAX_FRAMES = 8;
const FRAME = /^ {4}at .*:\d+:\d+\)?$/;

function placeOf({ stack = '', message }: Error): string {
  const messageAt = stack.indexOf(message);
  // Lines of the message could look like frames, so frames are searched only after it.
  const behind = messageAt < 0 ? '' : stack.slice(messageAt + message.length);
  return behind
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => line.trim())
    .join(' | ');
}
