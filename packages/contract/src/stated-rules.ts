import { readFileSync } from 'node:fs';
import path from 'node:path';
import { breakingChanges } from './breaking-changes.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import type { OpenApiDocument } from './openapi-document.ts';

/** A rule that the service enforced before the document stated it, so that stating it breaks no client. */
export interface StatedRule {
  /** The change exactly as `breakingChanges` reports it. */
  change: string;
  /** Why no previously accepted request is rejected. */
  reason: string;
  /** Sample bodies that the rule rejects and that the service always rejected. */
  refused: unknown[];
}

/** Reviewed together with the change that extends it, like the baseline. */
export const statedRulesFile = path.join(import.meta.dirname, '..', 'openapi.stated-rules.json');

export function readStatedRules(): StatedRule[] {
  return JSON.parse(readFileSync(statedRulesFile, 'utf8'));
}

/** Returns the endpoint whose body the rule is about; other rules cannot be accepted. */
export function endpointOf({ change }: Pick<StatedRule, 'change'>): Endpoint | undefined {
  return Object.values<Endpoint>(endpoints).find(({ method, path }) => change.startsWith(`${method} ${path} body`));
}

/** Returns whether the service itself rejects all samples. */
function isEnforced(rule: StatedRule): boolean {
  const body = endpointOf(rule)?.body;
  if (body === undefined || typeof body === 'string' || rule.refused.length === 0) return false;
  return rule.refused.every((sample) => !body.safeParse(sample).success);
}

/** Returns the breaking changes, without those that only state rules the service already enforces. */
export function unacceptedChanges(before: OpenApiDocument, after: OpenApiDocument, rules: StatedRule[]): string[] {
  const stated = new Set(rules.filter(isEnforced).map(({ change }) => change));
  return breakingChanges(before, after).filter((change) => !stated.has(change));
}
