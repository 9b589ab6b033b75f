import { clockText, durationText } from './duration.ts';
import { shown } from './text.ts';

interface Output {
  columns?: number;
  write(text: string): unknown;
}

/** The last known state of the run. */
interface Standing {
  state: string;
  /** The progress strip, if known. */
  strip?: string | undefined;
  detail?: string | undefined;
}

export interface Waiting {
  tell(standing: Standing): void;
  /** Shows an event without ending the wait. */
  note(line: string): void;
  stop(): void;
}

interface WaitingOptions {
  output: Output;
  isAnimated: boolean;
  isQuiet: boolean;
  /** Returns null during a poll. */
  untilNextPoll(): number | null;
}

const REDRAW_MS = 200;
const HEARTBEAT_MS = 5 * 60_000;
const USUAL_COLUMNS = 80;
const START_OF_LINE = '\r\u001b[2K';

/** Rewrites one line on a terminal; elsewhere writes a line per change, and a periodic heartbeat. */
export function showWaiting({ output, isAnimated, isQuiet, untilNextPoll }: WaitingOptions): Waiting {
  if (isQuiet) return { tell: () => undefined, note: () => undefined, stop: () => undefined };
  const startedAt = performance.now();
  const elapsed = () => clockText(performance.now() - startedAt);
  const nextPoll = () => {
    const left = untilNextPoll();
    return left === null ? 'polling' : `next poll in ${durationText(Math.max(1_000, left))}`;
  };
  let standing: Standing | undefined;
  const wordsOf = ({ state, strip, detail }: Standing) => [strip, state, detail].filter(Boolean).map(shown).join('  ');

  function draw(): void {
    const words = standing ? wordsOf(standing) : '…';
    const line = `${words}  ${elapsed()}  ${nextPoll()}`;
    output.write(START_OF_LINE + line.slice(0, (output.columns || USUAL_COLUMNS) - 1));
  }
  function beat(): void {
    if (standing) output.write(`${elapsed()}  still ${wordsOf(standing)}; ${nextPoll()}\n`);
  }
  function tell(next: Standing): void {
    const isNews = standing === undefined || wordsOf(standing) !== wordsOf(next);
    standing = next;
    if (isAnimated) draw();
    else if (isNews) output.write(`${elapsed()}  ${wordsOf(next)}\n`);
  }
  const timer = setInterval(isAnimated ? draw : beat, isAnimated ? REDRAW_MS : HEARTBEAT_MS).unref();
  return {
    tell,
    note: (line) => output.write(`${isAnimated ? START_OF_LINE : ''}${elapsed()}  ${shown(line)}\n`),
    stop() {
      clearInterval(timer);
      if (isAnimated) output.write(START_OF_LINE);
    },
  };
}
