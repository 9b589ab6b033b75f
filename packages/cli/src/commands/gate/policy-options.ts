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

/** What a baseline or an allow list took out of the findings that count. */
export interface TakenOut {
  id: string;
  fingerprint: string;
  by: 'baseline' | 'allow';
  /** The day until which it is accepted; null for what a baseline holds. */
  until: string | null;
}

export interface ReadPolicy {
  policy: Policy<PentestFinding>;
  takenOutOf(findings: readonly PentestFinding[]): TakenOut[];
}

type Names = ReadonlySet<string>;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The fingerprints of an earlier report: those of "report --format json" or of "gate --json". */
function readBaseline(name: string): Names {
  const text = readText(name);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw usageError(`${name} is not JSON: --baseline takes what "npx sortie report --format json" wrote`);
  }
  const findings = isRecord(document) ? document.findings : undefined;
  if (!Array.isArray(findings)) throw usageError(`${name} is no report: it has no findings`);
  return new Set(findings.map((finding: unknown) => (isRecord(finding) ? String(finding.fingerprint) : '')));
}

/** The day, where it is midnight of one. */
const dayOf = (until: number) => new Date(until).toISOString().replace('T00:00:00.000Z', '');

/** Accepted findings that still are, each with its last day: an acceptance without an end is refused. */
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
      shell.say(`${name}: ${fingerprint} was accepted until ${until}, and counts again`);
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
