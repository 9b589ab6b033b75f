import { confidences, severities } from '@sortie/contract';
import { countingFindings, fingerprintsOf, isKnown, type PentestFinding, type Policy } from '@sortie/sdk';
import type { Shell } from '../../api/command-context.ts';
import { readAcceptedGroups } from '../../pentest/accepted-groups.ts';
import { type Judged, readBaselineRun } from '../../pentest/read-baseline-run.ts';
import { readText, readYaml } from '../../settings/read-yaml.ts';
import { usageError } from '../../terminal/command-error.ts';
import { readCount, readWord } from '../../terminal/read-values.ts';

export interface PolicyOptions {
  failOn?: string;
  minConfidence?: string;
  maxFindings?: string;
  baseline?: string;
  baselineRun?: string;
  newOnly?: boolean;
  allow?: string;
  acceptUntested?: string;
}

/** A finding that a baseline, the earlier runs or an allow list exclude from the gate. */
export interface TakenOut {
  id: string;
  fingerprint: string;
  by: 'baseline' | 'baseline-run' | 'history' | 'allow';
  /** When the acceptance expires; null for known findings. */
  until: string | null;
}

export interface ReadPolicy {
  policy: Policy<PentestFinding>;
  takenOutOf(findings: readonly PentestFinding[]): TakenOut[];
  /** What new findings are compared with; null if known findings count as well. */
  comparedWith: string | null;
}

type Names = ReadonlySet<string>;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A file of an earlier release has no places. Former fingerprints are left out: several findings may have the same. */
function fingerprintsIn({ fingerprint, places }: Record<string, unknown>): string[] {
  const ofPlaces = [places].flat().map((place) => (isRecord(place) ? place.fingerprints : undefined));
  return [fingerprint, ...ofPlaces].flat().filter((each) => typeof each === 'string');
}

/** Returns the fingerprints of an earlier report, written by "report --format json" or "gate --json". */
function readBaseline(name: string): Names {
  const text = readText(name);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw usageError(`${name} is not JSON: --baseline needs a file written by "npx sortie report --format json"`);
  }
  const findings = isRecord(document) ? document.findings : undefined;
  if (!Array.isArray(findings))
    throw usageError(
      `${name} is not a JSON report: it has no findings. Write one with: npx sortie report RUN --format json`,
    );
  return new Set(findings.flatMap((finding: unknown) => (isRecord(finding) ? fingerprintsIn(finding) : [])));
}

/** Returns the date alone for midnight UTC. */
const dayOf = (until: number) => new Date(until).toISOString().replace('T00:00:00.000Z', '');

/** Returns the accepted findings that have not expired, each with its expiry. An entry without an expiry is refused. */
function readAllowed(name: string, shell: Shell, now: number): ReadonlyMap<string, string> {
  const list = readYaml(name) ?? [];
  if (!Array.isArray(list))
    throw usageError(`${name} must be a list of accepted findings, each with a fingerprint and a date "until"`);
  return new Map(
    list.flatMap((entry: unknown, index) => {
      const { id, fingerprint = id, until } = isRecord(entry) ? entry : {};
      const end = Date.parse(String(until));
      if (typeof fingerprint !== 'string' || Number.isNaN(end)) {
        throw usageError(`${name}: entry ${index + 1} needs a fingerprint (or id) and a date "until"`);
      }
      if (end > now) return [[fingerprint, dayOf(end)] as const];
      shell.say(`${name}: the acceptance of ${fingerprint} expired on ${until}; the finding counts again`);
      return [];
    }),
  );
}

interface Known {
  by: Exclude<TakenOut['by'], 'allow'>;
  comparedWith: string | null;
  baseline?: Names;
}

/** The value of `comparedWith` if the service compares. */
export const EARLIER_RUNS = 'earlier runs';

/** Reads the baseline run before anything is started, so that a wrong run id costs nothing. */
async function readKnown(shell: Shell, options: PolicyOptions, judged: Judged): Promise<Known> {
  const { baseline, newOnly } = options;
  // Pipelines pass an empty value if there is no baseline run.
  const baselineRun = options.baselineRun || undefined;
  if (baseline !== undefined && baselineRun !== undefined)
    throw usageError('--baseline and --baseline-run exclude each other: give one of them');
  if (baseline !== undefined) return { by: 'baseline', comparedWith: baseline, baseline: readBaseline(baseline) };
  if (baselineRun === undefined) return { by: 'history', comparedWith: newOnly ? EARLIER_RUNS : null };
  const fingerprints = await readBaselineRun(shell, baselineRun, judged);
  return { by: 'baseline-run', comparedWith: baselineRun, baseline: fingerprints };
}

/** Reads the policy for the run that is judged. */
export async function readPolicyOptions(shell: Shell, options: PolicyOptions, judged: Judged): Promise<ReadPolicy> {
  const { settings } = shell;
  const failOn = options.failOn ?? settings.get('gate.failOn')?.value ?? 'HIGH';
  const minConfidence = options.minConfidence ?? settings.get('gate.minConfidence')?.value ?? 'FIRM';
  const maxFindings = options.maxFindings ?? settings.get('gate.maxFindings')?.value ?? '0';
  const allowed: ReadonlyMap<string, string> =
    options.allow === undefined ? new Map() : readAllowed(options.allow, shell, Date.now());
  const untilOf = (finding: PentestFinding) =>
    [...fingerprintsOf(finding), finding.id].map((name) => allowed.get(name)).find((until) => until !== undefined);
  const strict = {
    failOn: readWord('--fail-on', failOn, severities),
    minConfidence: readWord('--min-confidence', minConfidence, confidences),
    maxFindings: readCount('--max-findings', maxFindings),
    acceptUntested: readAcceptedGroups(shell, options.acceptUntested),
  };
  const { by, comparedWith, baseline } = await readKnown(shell, options, judged);
  const policy = {
    ...strict,
    newOnly: options.newOnly,
    baseline,
    accept: (finding: PentestFinding) => untilOf(finding) !== undefined,
  };
  return {
    policy,
    comparedWith,
    takenOutOf: (findings) =>
      countingFindings(findings, strict).flatMap((finding): TakenOut[] => {
        const { id, fingerprint } = finding;
        if (isKnown(finding, policy)) return [{ id, fingerprint, by, until: null }];
        const until = untilOf(finding);
        return until === undefined ? [] : [{ id, fingerprint, by: 'allow', until }];
      }),
  };
}
