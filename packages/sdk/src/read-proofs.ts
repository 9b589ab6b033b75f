import { ApiError, TransportError } from './errors.ts';
import type { CallOptions } from './options.ts';
import type { Pentests } from './pentests.ts';
import type { PentestFinding, PentestFindingDetails } from './types.ts';

/** A key may send 120 reads per minute; the client waits when it has used them up. */
const MOST_FINDINGS = 100;
const AT_ONCE = 4;

/** A finding with its evidence, if that was read. */
export type ProvedFinding = PentestFinding &
  Partial<Pick<PentestFindingDetails, 'evidence' | 'evidenceDeletedAt' | 'curl'>>;

/** Options of `readProofs`. */
export interface ProofsOptions extends CallOptions {
  /** Called before the first request with the number of findings whose evidence is read. */
  onStart?(count: number): void;
}

/** The result of `readProofs`. */
export interface Proofs {
  /** All findings, in the same order. */
  findings: ProvedFinding[];
  /** How many of the 100 worst have no evidence because it could not be read. */
  missing: number;
  /** How many findings are beyond the 100 worst. */
  left: number;
}

/**
 * Reads the evidence of the 100 worst findings, one request each. A finding may have been excluded meanwhile; after
 * another failure the rest stays as it is, because a report without evidence is better than none.
 */
export async function readProofs(
  pentests: Pick<Pentests, 'finding'>,
  id: string,
  findings: readonly PentestFinding[],
  { onStart, ...calls }: ProofsOptions = {},
): Promise<Proofs> {
  const proved: ProvedFinding[] = [...findings];
  const worst = findings.slice(0, MOST_FINDINGS);
  const wanted = worst.entries();
  let read = 0;
  let unknown = 0;
  let hasFailed = false;
  // A service of an earlier release has no evidence for any finding.
  const isOver = () => hasFailed || (read === 0 && unknown >= AT_ONCE);
  async function readNext(): Promise<void> {
    for (const [index, finding] of wanted) {
      try {
        const { evidence, evidenceDeletedAt, curl } = (await pentests.finding(id, finding.id, calls)).data;
        proved[index] = { ...finding, ...{ evidence, evidenceDeletedAt, curl } };
        read += 1;
      } catch (error) {
        if (!(error instanceof ApiError || error instanceof TransportError)) throw error;
        if (error instanceof ApiError && error.statusCode === 404) unknown += 1;
        else hasFailed = true;
      }
      if (isOver()) return;
    }
  }
  if (worst.length > 0) onStart?.(worst.length);
  await Promise.all(Array.from({ length: AT_ONCE }, readNext));
  return { findings: proved, missing: worst.length - read, left: findings.length - worst.length };
}
