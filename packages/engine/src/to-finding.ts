import { createHash } from 'node:crypto';
import { type InsertionPoint, titleWithPlace } from '@sortie/contract';
import cvss from 'ae-cvss-calculator';
import type { ActiveCheck, Site } from './active-check.ts';
import { type InventoryItem, type Parameter, templateOf } from './crawl/inventory.ts';
import type { Evidence, PentestFinding } from './finding.ts';
import { recordExchange } from './http/record.ts';
import type { Redactor } from './http/redactor.ts';
import type { TestJob } from './plan-tests.ts';
import type { Exhibit, Verified } from './verify.ts';

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
/** Half of what is stored: secrets may become longer when they are masked. */
const MOST_OF_URL = 2_000;

/** Where a finding is. */
export interface Place {
  item: Pick<InventoryItem, 'method' | 'url' | 'parameters' | 'operation' | 'seenAs' | 'effect'>;
  /** Undefined where it is about the request as a whole. */
  parameter?: Parameter;
}

export function placeOf({ check, subject }: TestJob): Place {
  if ('item' in subject) return subject;
  if (check.about === 'request') return { item: subject as InventoryItem };
  return { item: { method: 'GET', url: `${(subject as Site).origin}/`, parameters: [], seenAs: null } };
}

export function toFinding(
  check: Pick<ActiveCheck, 'id' | 'flaw' | 'title' | 'cwe' | 'cvss' | 'needsNoAccount' | 'why' | 'fix' | 'fields'>,
  place: Place,
  { confidence }: Pick<Verified, 'confidence'>,
  evidence: Evidence[],
): PentestFinding {
  const { item, parameter } = place;
  const url = item.url.slice(0, MOST_OF_URL);
  const cvssScore = scoreOf(check.cvss, item.seenAs !== null && !check.needsNoAccount);
  const where = parameter ? nameOf(parameter) : null;
  const within = parameter ? `in ${where} (${parameter.location}) of` : 'at';
  const account = item.seenAs === null ? '' : `, as account ${item.seenAs}`;
  return {
    title: titleWithPlace(check.title, {
      url,
      parameter: parameter && insertionPointOf(parameter),
      fields: check.fields,
    }),
    description: `${check.why}\n\nFound ${within} ${item.method} ${url}${account}.`,
    severity: severityOf(cvssScore),
    confidence,
    affectedUrl: url,
    remediation: check.fix,
    cvssScore,
    cwe: check.cwe,
    method: item.method,
    parameter: where,
    fingerprint: fingerprintOf(check, place),
    evidence,
  };
}

function nameOf({ location, name }: Parameter): string {
  const shown = name.slice(0, MOST_CHARACTERS);
  return location === 'path' ? `segment ${shown} of the path` : shown;
}

/** A path segment is named by its value; all that is not listed is a parameter. */
function insertionPointOf({ location, name, value }: Parameter): InsertionPoint {
  if (location === 'fragment' && name === 'fragment') return { kind: 'URL fragment' };
  if (location === 'path') return { kind: 'path segment', name: value || name };
  if (location === 'header' || location === 'cookie') return { kind: location, name };
  if (location === 'fileName') return { kind: 'file name of', name };
  return { kind: location === 'webSocket' ? 'message field' : 'parameter', name };
}

type Flawed = Pick<ActiveCheck, 'id' | 'flaw'>;

/** The same for the same flaw in every run: nothing of it depends on what was found on the way, or how it was proved. */
export function fingerprintOf({ id, flaw }: Flawed, { item, parameter }: Place): string {
  const { method, url, operation } = item;
  const inPath = item.parameters.filter(({ location }) => location === 'path');
  const [, place = ''] = templateOf({ method, url, parameters: inPath }).split(' ');
  const asked = operation === undefined ? [] : [operation];
  const named = parameter ? [parameter.location, parameter.name] : [];
  const facts = [flaw?.name ?? id, method, place, ...asked, ...named];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

const MOST_OF_EVIDENCE = 20_000;
const lengthOf = ({ response }: Exhibit['exchange']) => `‹${response?.body.length ?? 0} bytes that may hold secrets›`;

/** As text, in the order of the wire. */
export function toEvidence({ label, exchange, isConfidential }: Exhibit, redactor: Redactor): Evidence {
  const recorded = recordExchange(exchange, redactor);
  const { method, url, requestHeaders, requestBody, status, responseHeaders, responseBody, failure } = recorded;
  const lines = (headers: typeof requestHeaders) => headers.map((pair) => pair.join(': '));
  const request = [`${method} ${url}`, ...lines(requestHeaders), '', requestBody ?? ''].join('\n');
  const response = failure
    ? `No answer: ${failure.message}`
    : [`${status}`, ...lines(responseHeaders), '', isConfidential ? lengthOf(exchange) : (responseBody ?? '')].join(
        '\n',
      );
  const calls = callsOf(exchange);
  const cutText = (text: string, left = MOST_OF_EVIDENCE) => text.trimEnd().slice(0, left);
  return {
    label,
    request: cutText(request),
    response: `${cutText(response, MOST_OF_EVIDENCE - calls.length)}${calls}`,
  };
}

const MOST_CALLS = 10;

/** What our listener has heard because of the request. */
function callsOf({ heard = [] }: Exhibit['exchange']): string {
  const lines = heard
    .slice(0, MOST_CALLS)
    .map(({ kind, at, from, detail }) => `${kind.toUpperCase()} from ${from} at ${at}${detail && `: ${detail}`}`);
  return lines.length > 0 ? ['', '', 'Heard by our listener:', ...lines].join('\n') : '';
}
