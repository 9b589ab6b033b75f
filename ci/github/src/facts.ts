import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Inputs } from './inputs.ts';

/** The workflow as described by the runner's environment variables. */
export interface Facts {
  repository: string;
  workflow: string;
  commit: string;
  apiUrl: string;
  /** Null outside of pull requests. */
  pullRequest: { number: number; isFork: boolean } | null;
}

interface Event {
  pull_request?: { number: number; head?: { repo?: { full_name?: string } | null } };
}

function readEvent(file: string | undefined): Event {
  return file === undefined || file === '' ? {} : JSON.parse(readFileSync(file, 'utf8'));
}

export function readFacts(environment: NodeJS.ProcessEnv): Facts {
  const { pull_request: pullRequest } = readEvent(environment.GITHUB_EVENT_PATH);
  const repository = environment.GITHUB_REPOSITORY ?? '';
  return {
    repository,
    workflow: environment.GITHUB_WORKFLOW_REF ?? environment.GITHUB_WORKFLOW ?? '',
    commit: environment.GITHUB_SHA ?? '',
    apiUrl: environment.GITHUB_API_URL ?? 'https://api.github.com',
    pullRequest: pullRequest
      ? { number: pullRequest.number, isFork: pullRequest.head?.repo?.full_name !== repository }
      : null,
  };
}

const digest = (parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Derives the idempotency key, so that a job rerun for the same commit re-attaches to the run that it started. */
export function idempotencyKeyOf(inputs: Inputs, facts: Facts): string {
  if (inputs.idempotencyKey !== '') return inputs.idempotencyKey;
  const { mode, target, verificationId, depth } = inputs;
  const kind = mode === 'scan' ? 'scan' : 'pentest';
  const parts = ['github', facts.repository, facts.workflow, facts.commit, kind, target, verificationId, depth];
  return `github-${digest(parts)}`;
}

/** Derives the key for the one retry after a run that ended FAILED, in the same way as the command line. */
export const secondKeyOf = (idempotencyKey: string): string => `${digest([idempotencyKey])}-2`;
