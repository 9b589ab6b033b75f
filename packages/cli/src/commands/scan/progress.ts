import type { ScanProgress } from '@sortie/engine';
import { shown } from '../../terminal/text.ts';

interface Output {
  columns?: number;
  write(text: string): unknown;
}

interface Progress {
  tell(progress: ScanProgress): void;
  stop(): void;
}

const REDRAW_MS = 200;
const USUAL_COLUMNS = 80;
const START_OF_LINE = '\r\u001b[2K';

/** Rewrites one line on a terminal; elsewhere writes one line per collector. */
export function showProgress(url: string, output: Output, isAnimated: boolean): Progress {
  const startedAt = performance.now();
  const under = new Set<string>();
  let requestsSent = () => 0;
  const soFar = () => {
    const requests = requestsSent();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    return `${requests} ${requests === 1 ? 'request' : 'requests'}, ${seconds} s`;
  };

  function draw(): void {
    const line = `Scanning (${soFar()}): ${[...under].join(', ') || '…'}`;
    output.write(START_OF_LINE + line.slice(0, (output.columns || USUAL_COLUMNS) - 1));
  }
  function tell(progress: ScanProgress): void {
    const { collector, isOver } = progress;
    requestsSent = progress.requestsSent;
    if (isOver) under.delete(collector);
    else under.add(collector);
    if (isAnimated) draw();
    else if (isOver) output.write(`finished ${collector} (${soFar()})\n`);
  }
  if (!isAnimated) {
    output.write(`Scanning ${shown(url)}\n`);
    return { tell, stop: () => undefined };
  }
  draw();
  const timer = setInterval(draw, REDRAW_MS).unref();
  const stop = () => {
    clearInterval(timer);
    output.write(START_OF_LINE);
  };
  return { tell, stop };
}
