import { confidences, severities } from '@sortie/contract';
import type { PentestFinding, Policy } from '@sortie/sdk';
import { usageError } from '../../command-error.ts';
import { readCount, readWord } from '../../core/read-values.ts';
import { readText, readYaml } from '../../core/read-yaml.ts';
import type { Shell } from '../../core/shell.ts';

export interface PolicyOptions {
  failOn?: string;
  minConfidence?: string;
  maxFindings?: string;
  baseline?: string;
  allow?: string;
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

/** Accepted findings that still are: everything somebody accepts ends some day. */
function readAllowed(name: string, shell: Shell, now: number): Names {
  const list = readYaml(name) ?? [];
  if (!Array.isArray(list)) throw usageError(`${name} must be a list of accepted findings`);
  return new Set(
    list.flatMap((entry: unknown, index) => {
      const { id, fingerprint = id, until } = isRecord(entry) ? entry : {};
      const end = Date.parse(String(until));
      if (typeof fingerprint !== 'string' || Number.isNaN(end)) {
        throw usageError(`${name}: entry ${index + 1} needs a fingerprint (or id) and a date "until"`);
      }
      if (end > now) return [fingerprint];
      shell.say(`${name}: ${fingerprint} was accepted until ${until}, and counts again`);
      return [];
    }),
  );
}

export function readPolicyOptions(shell: Shell, options: PolicyOptions): Policy<PentestFinding> {
  const { settings } = shell;
  const failOn = options.failOn ?? settings.get('gate.failOn')?.value ?? 'HIGH';
  const minConfidence = options.minConfidence ?? settings.get('gate.minConfidence')?.value ?? 'FIRM';
  const maxFindings = options.maxFindings ?? settings.get('gate.maxFindings')?.value ?? '0';
  const accepted = [
    ...(options.baseline === undefined ? [] : readBaseline(options.baseline)),
    ...(options.allow === undefined ? [] : readAllowed(options.allow, shell, Date.now())),
  ];
  const names: Names = new Set(accepted);
  return {
    failOn: readWord('--fail-on', failOn, severities),
    minConfidence: readWord('--min-confidence', minConfidence, confidences),
    maxFindings: readCount('--max-findings', maxFindings),
    accept: ({ id, fingerprint }) => names.has(fingerprint) || names.has(id),
  };
}
