import type { CallOptions } from './options.ts';
import type { Pentests } from './pentests.ts';
import { ownFingerprintsOf } from './policy.ts';
import { readReport } from './read-report.ts';

/** A run that cannot be a baseline: it is not completed, not released, of another target, or the judged run itself. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError';
  readonly runId: string;

  constructor(runId: string, message: string) {
    super(message);
    this.runId = runId;
  }
}

/** Options of `readBaseline`. */
export interface BaselineOptions extends CallOptions {
  /** The run that is judged, by its id, or by its URL if it is not started yet. The baseline must be of its origin. */
  judged?: { id?: string; targetUrl?: string };
}

/**
 * Resolves to the fingerprints of all findings of a completed run, for the `baseline` of a policy. Rejects with a
 * BaselineError for any other run, whose findings may be incomplete, for one of another origin, and for the judged run
 * itself, which would know all its findings.
 */
export async function readBaseline(
  { get, findingsAll }: Pick<Pentests, 'get' | 'findingsAll'>,
  id: string,
  { judged = {}, ...calls }: BaselineOptions = {},
): Promise<ReadonlySet<string>> {
  if (judged.id === id) throw new BaselineError(id, `Run ${id} is the run that is judged.`);
  const { data } = await get(id, calls);
  if (data.status !== 'COMPLETED') throw new BaselineError(id, `Run ${id} is ${data.status}, not completed.`);
  if (data.reportReleased !== true) throw unreleased(id);
  const targetUrl = judged.id === undefined ? judged.targetUrl : (await get(judged.id, calls)).data.targetUrl;
  const [tested, expected] = [originOf(data.targetUrl), originOf(targetUrl)];
  if (tested !== expected && expected !== undefined) {
    throw new BaselineError(id, `Run ${id} tested ${tested}, not ${expected}.`);
  }
  const { findings, isWhole } = await readReport(findingsAll(id, {}, calls));
  if (!isWhole) throw unreleased(id);
  return new Set(findings.flatMap(ownFingerprintsOf));
}

const unreleased = (id: string) => new BaselineError(id, `The report of run ${id} is not released.`);

const originOf = (url: string | undefined) => (url === undefined ? undefined : URL.parse(url)?.origin);
