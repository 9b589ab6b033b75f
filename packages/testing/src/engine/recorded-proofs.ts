import type { ActiveCheck } from '../../../engine/src/active/define-active-check.ts';
import { parametersOf } from '../../../engine/src/crawl/inventory/inventory.ts';
import {
  type FindingLocation,
  flawOf,
  handlerOf,
  pathOf,
  siteOf,
} from '../../../engine/src/pentest/testing/fingerprint.ts';
import type { CauseFacts } from '../../../engine/src/pentest/testing/group-findings.ts';
import type { PentestFinding } from '../../../engine/src/protocol/finding.ts';

/** What a run has recorded of a proof, and the cause that the finding really has. */
export interface RecordedProof {
  cause: string;
  checkId: string;
  fingerprint: string;
  targetUrl: string;
  method: FindingLocation['item']['method'];
  url: string;
  parameter?: { location: string; name: string };
  responses: CauseFacts['responses'];
}

const MOST_CHARACTERS = 1_500;

/** Returns what tells the cause of a finding, from its evidence. */
export function recordProof(finding: PentestFinding, cause: string, targetUrl: string): RecordedProof {
  const { checkId, fingerprint, method, affectedUrl, parameter, location, evidence = [] } = finding;
  const cut = (text: string, spans: readonly { start: number; end: number }[]) =>
    spans.map(({ start, end }) => text.slice(start, end));
  const responses = evidence.map(({ request, response, highlights }) => {
    const [head = '', ...body] = response.split('\n\n');
    const [, url = ''] = /^\S+ (\S+)/.exec(request) ?? [];
    return {
      url,
      status: Number.parseInt(head, 10) || 0,
      body: body.join('\n\n').slice(0, MOST_CHARACTERS),
      payload: '',
      results: cut(response, highlights?.response ?? []),
    };
  });
  const isTelling = ({ results, status }: (typeof responses)[number]) => results.length > 0 || status >= 500;
  return {
    cause,
    checkId: checkId ?? '',
    fingerprint,
    targetUrl,
    method: (method ?? 'GET') as RecordedProof['method'],
    url: affectedUrl ?? targetUrl,
    ...(parameter !== null && location !== null && { parameter: { location, name: parameter } }),
    responses: responses.filter(isTelling).slice(0, 2),
  };
}

/** Returns the facts that the engine groups by. */
export function factsOfRecord(record: RecordedProof, checks: readonly ActiveCheck[]): CauseFacts {
  const check = checks.find(({ id }) => id === record.checkId);
  if (!check) throw new Error(`there is no check ${record.checkId}`);
  const { url, method, targetUrl, parameter, responses } = record;
  const item = { method, url, parameters: parametersOf(url), seenAs: null };
  return {
    flaw: flawOf(check),
    ...(check.family && { family: check.family }),
    ...(check.isInPage && { isInPage: true }),
    method,
    site: siteOf(url, targetUrl),
    path: pathOf(item),
    handler: handlerOf({ item, parameter: item.parameters.find(({ name }) => name === parameter?.name) }),
    parameter,
    responses,
  };
}
