import { readFileSync } from 'node:fs';
import path from 'node:path';
import { breakingChanges } from './breaking-changes.ts';
import { type Endpoint, endpoints } from './endpoints.ts';
import type { OpenApiDocument } from './openapi-document.ts';

/** A rule that the service enforced before the document stated it: stating it takes nothing from any client. */
export interface StatedRule {
  /** Word for word as `breakingChanges` reports it. */
  change: string;
  /** Why nothing is refused that was accepted before. */
  reason: string;
  /** Bodies that the rule refuses, as the service did before. */
  refused: unknown[];
}

/** Reviewed with the change that adds to it, like the baseline. */
export const statedRulesFile = path.join(import.meta.dirname, '..', 'openapi.stated-rules.json');

export function readStatedRules(): StatedRule[] {
  return JSON.parse(readFileSync(statedRulesFile, 'utf8'));
}

/** The endpoint whose body the rule is about; rules about anything else cannot be accepted. */
export function endpointOf({ change }: Pick<StatedRule, 'change'>): Endpoint | undefined {
  return Object.values<Endpoint>(endpoints).find(({ method, path }) => change.startsWith(`${method} ${path} body`));
}

/** Whether the service itself refuses what the document says is refused. */
function isEnforced(rule: StatedRule): boolean {
  const body = endpointOf(rule)?.body;
  if (body === undefined || typeof body === 'string' || rule.refused.length === 0) return false;
  return rule.refused.every((sample) => !body.safeParse(sample).success);
}

/** Breaking changes, without those that only state what the service enforced already. */
export function unacceptedChanges(before: OpenApiDocument, after: OpenApiDocument, rules: StatedRule[]): string[] {
  const stated = new Set(rules.filter(isEnforced).map(({ change }) => change));
  return breakingChanges(before, after).filter((change) => !stated.has(change));
}
