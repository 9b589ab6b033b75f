import { fstatSync } from 'node:fs';
import type { Severity } from '@sortie/contract';
import { Ansis } from 'ansis';

/** The properties of a stream that decide whether it gets colours. */
interface Screen {
  isTTY?: boolean;
  fd?: number;
  hasColors?(): boolean;
}

/** Where colours are written: everywhere, nowhere, on terminals, or everywhere except regular files. */
export type ColorMode = 'always' | 'never' | 'terminal' | 'unless-file';

export type Paint = ReturnType<typeof createPaint>;

/** Returns functions that colour text for a stream, or leave it unchanged if the mode forbids colours. */
export function createPaint(screen: Screen, mode: ColorMode) {
  const hasColors = isColored(screen, mode);
  const ansis = new Ansis(hasColors ? 1 : 0);
  const severities: Record<Severity, typeof ansis> = {
    CRITICAL: ansis.bold.red,
    HIGH: ansis.red,
    MEDIUM: ansis.yellow,
    LOW: ansis.cyan,
    INFO: ansis.dim,
  };
  return {
    isColored: hasColors,
    bold: ansis.bold,
    dim: ansis.dim,
    good: ansis.green,
    bad: ansis.bold.red,
    unsure: ansis.yellow,
    /** Marks the relevant part of a text. */
    mark: ansis.bold.yellow,
    /** Colours text by severity; a severity that this version does not know is shown as the worst. */
    severity: (severity: string, text: string) =>
      (Object.entries(severities).find(([name]) => name === severity)?.[1] ?? severities.CRITICAL)(text),
  };
}

function isColored(screen: Screen, mode: ColorMode): boolean {
  if (mode === 'always' || mode === 'never') return mode === 'always';
  if (screen.isTTY) return screen.hasColors?.() ?? false;
  return mode === 'unless-file' && screen.fd !== undefined && !fstatSync(screen.fd).isFile();
}
