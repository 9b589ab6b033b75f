import { createHash } from 'node:crypto';
import cvss from 'ae-cvss-calculator';
import type { ActiveCheck, Point } from './active-check.ts';
import { templateOf } from './crawl/inventory.ts';
import type { Evidence, PentestFinding } from './finding.ts';
import type { Verified } from './verify.ts';

type Severity = PentestFinding['severity'];

/** For what was demonstrated; whoever needs an account first is one step further away. */
function scoreOf(vector: string, needsLogin: boolean): number {
  return new cvss.Cvss3P1(needsLogin ? vector.replace('/PR:N', '/PR:L') : vector).calculateScores().overall;
}

/** The bands of CVSS 3.1. */
function severityOf(score: number): Severity {
  if (score >= 9) return 'CRITICAL';
  if (score >= 7) return 'HIGH';
  if (score >= 4) return 'MEDIUM';
  return score > 0 ? 'LOW' : 'INFO';
}

/** Of a name that a page has made up. */
const MOST_CHARACTERS = 300;

export function toFinding<Variant>(
  check: ActiveCheck<Variant>,
  { item, parameter }: Point,
  { confidence }: Verified,
  evidence: Evidence[],
): PentestFinding {
  const cvssScore = scoreOf(check.cvss, item.seenAs !== null);
  const name = parameter.name.slice(0, MOST_CHARACTERS);
  const where = parameter.location === 'path' ? `segment ${name} of the path` : name;
  return {
    title: check.title,
    description: `${check.why}\n\nFound in ${where} (${parameter.location}) of ${item.method} ${item.url}${
      item.seenAs === null ? '' : `, as ${item.seenAs}`
    }.`,
    severity: severityOf(cvssScore),
    confidence,
    affectedUrl: item.url,
    remediation: check.fix,
    cvssScore,
    cwe: check.cwe,
    method: item.method,
    parameter: where,
    fingerprint: fingerprintOf(check.id, { item, parameter }),
    evidence,
  };
}

/** The same for the same flaw in every run: nothing of it depends on what was found on the way. */
function fingerprintOf(checkId: string, { item, parameter }: Point): string {
  const { method, url, operation } = item;
  const inPath = item.parameters.filter(({ location }) => location === 'path');
  const [, place = ''] = templateOf({ method, url, parameters: inPath }).split(' ');
  const asked = operation === undefined ? [] : [operation];
  const facts = [checkId, method, place, ...asked, parameter.location, parameter.name];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
