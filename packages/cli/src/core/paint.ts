import type { Severity } from '@sortie/contract';
import { Ansis } from 'ansis';

/** What of a stream decides whether colours are wanted there. */
interface Screen {
  isTTY?: boolean;
  hasColors?(): boolean;
}

export type Paint = ReturnType<typeof createPaint>;

/** Node knows NO_COLOR, TERM and FORCE_COLOR; what is not a terminal gets no colours. */
export function createPaint(screen: Screen, isWanted: boolean) {
  const ansis = new Ansis(isWanted && screen.isTTY && screen.hasColors?.() ? 1 : 0);
  const severities: Record<Severity, typeof ansis> = {
    CRITICAL: ansis.bold.red,
    HIGH: ansis.red,
    MEDIUM: ansis.yellow,
    LOW: ansis.cyan,
    INFO: ansis.dim,
  };
  return {
    bold: ansis.bold,
    dim: ansis.dim,
    good: ansis.green,
    bad: ansis.bold.red,
    unsure: ansis.yellow,
    /** By what it says; one that this version does not know is shown as the worst. */
    severity: (severity: string, text: string) =>
      (Object.entries(severities).find(([name]) => name === severity)?.[1] ?? severities.CRITICAL)(text),
  };
}
