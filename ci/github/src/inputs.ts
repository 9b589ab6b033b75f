import { readFileSync } from 'node:fs';

/** Invalid input of the workflow; thrown before anything is started. */
export class InputError extends Error {
  override name = 'InputError';
}

const modes = ['start', 'gate', 'start-and-gate', 'scan'] as const;
const forkWords = ['fail', 'skip'] as const;
const yesOrNo = ['true', 'false'] as const;
const comments = ['off', 'on-failure', 'always'] as const;
const depths = ['LEAD', 'STANDARD', 'DEEP'] as const;
const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const;
const confidences = ['CONFIRMED', 'FIRM', 'TENTATIVE'] as const;

export interface Inputs {
  apiKey: string;
  baseUrl: string;
  mode: (typeof modes)[number];
  target: string;
  verificationId: string;
  depth: (typeof depths)[number];
  /** Text of the file; undefined without one. */
  apiDescription: string | undefined;
  runId: string;
  idempotencyKey: string;
  failOn: (typeof severities)[number];
  minConfidence: (typeof confidences)[number];
  /** Whether known findings pass. */
  newOnly: boolean;
  /** Id of a completed run; empty for none. */
  baselineRun: string;
  /** Check groups. */
  acceptUntested: string[];
  maxWaitMs: number;
  sarif: string;
  anchor: string;
  junit: string;
  comment: (typeof comments)[number];
  githubToken: string;
  /** Outcome of a gate in a pull request from a fork, which has no API key. */
  forks: (typeof forkWords)[number];
}

function oneOf<Word extends string>(name: string, given: string, words: readonly Word[]): Word {
  const word = words.find((each) => each.toLowerCase() === given.toLowerCase());
  if (word === undefined) throw new InputError(`${name} must be one of: ${words.join(', ').toLowerCase()}`);
  return word;
}

const units = { s: 1000, m: 60_000, h: 3_600_000 } as const;
const LONGEST_WAIT_MS = 24 * units.h;

function readDuration(name: string, given: string): number {
  const [, number, unit] = /^(\d{1,6})(s|m|h)$/.exec(given) ?? [];
  const duration = Number(number) * units[unit as keyof typeof units];
  if (!(duration <= LONGEST_WAIT_MS))
    throw new InputError(`${name} must be a duration such as 90s, 45m or 6h, at most 24h`);
  return duration;
}

function readGroups(name: string, given: string): string[] {
  const groups = given.split(/[\s,]+/).filter(Boolean);
  const wrong = groups.find((group) => !/^[a-z0-9-]+$/.test(group));
  if (wrong === undefined) return groups;
  throw new InputError(`${name} must name check groups such as scripting: ${wrong}`);
}

const MAX_DESCRIPTION_BYTES = 128 * 1024;

/** Never quotes the file, which may contain secrets. */
function readDescription(file: string): string | undefined {
  if (file === '') return undefined;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new InputError(`api-description: ${file} cannot be read; check out the repository before this step`);
  }
  if (Buffer.byteLength(text) <= MAX_DESCRIPTION_BYTES) return text;
  throw new InputError(`api-description: ${file} is larger than 128 KiB; ask the operator to import it for the target`);
}

function readBaseUrl(given: string): string {
  const url = URL.parse(given);
  if (given !== '' && (!url || !/^https?:$/.test(url.protocol)))
    throw new InputError('base-url must be the http or https URL of the service');
  return given;
}

const neededBy: Record<Inputs['mode'], readonly ('target' | 'verificationId' | 'runId')[]> = {
  start: ['target', 'verificationId'],
  gate: ['runId'],
  'start-and-gate': ['target', 'verificationId'],
  scan: ['target'],
};
const inputNames = { target: 'target', verificationId: 'verification-id', runId: 'run-id' } as const;

/** Throws an InputError for invalid values; `requireInputs` does for missing ones. */
export function readInputs(get: (name: string) => string): Inputs {
  return {
    apiKey: get('api-key'),
    baseUrl: readBaseUrl(get('base-url')),
    mode: oneOf('mode', get('mode') || 'start-and-gate', modes),
    target: get('target'),
    verificationId: get('verification-id'),
    depth: oneOf('depth', get('depth') || 'lead', depths),
    apiDescription: readDescription(get('api-description')),
    runId: get('run-id'),
    idempotencyKey: get('idempotency-key'),
    failOn: oneOf('fail-on', get('fail-on') || 'high', severities),
    minConfidence: oneOf('min-confidence', get('min-confidence') || 'firm', confidences),
    newOnly: oneOf('new-only', get('new-only') || 'false', yesOrNo) === 'true',
    baselineRun: get('baseline-run'),
    acceptUntested: readGroups('accept-untested', get('accept-untested')),
    maxWaitMs: readDuration('max-wait', get('max-wait') || '60m'),
    sarif: get('sarif'),
    anchor: get('sarif-anchor'),
    junit: get('junit'),
    comment: oneOf('comment', get('comment') || 'off', comments),
    githubToken: get('github-token'),
    forks: oneOf('forks', get('forks') || 'fail', forkWords),
  };
}

/** Separate from `readInputs`, because a fork has neither the secrets nor the variables of the repository. */
export function requireInputs(inputs: Inputs): void {
  if (inputs.apiKey === '') throw new InputError('api-key is required: pass it from a secret');
  if (inputs.baseUrl === '') throw new InputError('base-url is required: the URL of the service, without /v1');
  for (const name of neededBy[inputs.mode]) {
    if (inputs[name] === '') throw new InputError(`mode ${inputs.mode} needs ${inputNames[name]}`);
  }
}
