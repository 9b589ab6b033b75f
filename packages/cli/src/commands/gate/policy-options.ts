import { confidences, severities } from '@sortie/contract';
import { countingFindings, type PentestFinding, type Policy } from '@sortie/sdk';
import type { Shell } from '../../api/command-context.ts';
import { readAcceptedGroups } from '../../pentest/accepted-groups.ts';
import { readText, readYaml } from '../../settings/read-yaml.ts';
import { usageError } from '../../terminal/command-error.ts';
import { readCount, readWord } from '../../terminal/read-values.ts';

export interface PolicyOptions {
  failOn?: string;
  minConfidence?: string;
  maxFindings?: string;
  baseline?: string;
  allow?: string;
  acceptUntested?: string;
}

/** A finding that a baseline or an allow list excludes from the gate. */
export interface TakenOut {
  id: string;
  fingerprint: string;
  by: 'baseline' | 'allow';
  /** The expiry of the acceptance; null for findings of a baseline. */
  until: string | null;
}

export interface ReadPolicy {
  policy: Policy<PentestFinding>;
  takenOutOf(findings: readonly PentestFinding[]): TakenOut[];
}

type Names = ReadonlySet<string>;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

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
  if (!Array.isArray(findings)) throw usageError(`${name} is not a JSON report: it has no findings`);
  return new Set(findings.map((finding: unknown) => (isRecord(finding) ? String(finding.fingerprint) : '')));
}

/** Returns the date alone for midnight UTC. */
const dayOf = (until: number) => new Date(until).toISOString().replace('T00:00:00.000Z', '');

/** Returns the accepted findings that have not expired, each with its expiry. An entry without an expiry is refused. */
function readAllowed(name: string, shell: Shell, now: number): ReadonlyMap<string, string> {
  const list = readYaml(name) ?? [];
  if (!Array.isArray(list)) throw usageError(`${name} must be a list of accepted findings`);
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

export function readPolicyOptions(shell: Shell, options: PolicyOptions): ReadPolicy {
  const { settings } = shell;
  const failOn = options.failOn ?? settings.get('gate.failOn')?.value ?? 'HIGH';
  const minConfidence = options.minConfidence ?? settings.get('gate.minConfidence')?.value ?? 'FIRM';
  const maxFindings = options.maxFindings ?? settings.get('gate.maxFindings')?.value ?? '0';
  const known: Names = options.baseline === undefined ? new Set() : readBaseline(options.baseline);
  const allowed: ReadonlyMap<string, string> =
    options.allow === undefined ? new Map() : readAllowed(options.allow, shell, Date.now());
  const untilOf = ({ id, fingerprint }: PentestFinding) => allowed.get(fingerprint) ?? allowed.get(id);
  const isKnown = ({ id, fingerprint }: PentestFinding) => known.has(fingerprint) || known.has(id);
  const strict = {
    failOn: readWord('--fail-on', failOn, severities),
    minConfidence: readWord('--min-confidence', minConfidence, confidences),
    maxFindings: readCount('--max-findings', maxFindings),
    acceptUntested: readAcceptedGroups(shell, options.acceptUntested),
  };
  const isTakenOut = (finding: PentestFinding) => isKnown(finding) || untilOf(finding) !== undefined;
  return {
    policy: { ...strict, accept: isTakenOut },
    takenOutOf: (findings) =>
      countingFindings(findings, strict)
        .filter(isTakenOut)
        .map((finding) => {
          const { id, fingerprint } = finding;
          if (isKnown(finding)) return { id, fingerprint, by: 'baseline', until: null };
          return { id, fingerprint, by: 'allow', until: untilOf(finding) ?? null };
        }),
  };
}
