import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

/** What a stranger writes who has nothing but the document: types and calls, and no settings for either. */
const { BASE_URL: baseUrl = '', API_KEY: apiKey = '', VERIFICATION_ID: verificationId = '' } = process.env;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${apiKey}` } });

function have<T>({ data, error }: { data?: T; error?: components['schemas']['Error'] }): T {
  if (data === undefined) throw new Error(`${error?.code}: ${error?.message}`);
  return data;
}

const started = have(
  await client.POST('/v1/pentests', {
    params: { header: { 'Idempotency-Key': randomUUID() } },
    body: { targetUrl: 'https://released-findings.sandbox.example/', verificationId, depth: 'LEAD' },
  }),
);
const path = { id: started.id };

async function judge(): Promise<components['schemas']['Pentest']> {
  for (const wait of Array<number>(100).fill(200)) {
    const pentest = have(await client.GET('/v1/pentests/{id}', { params: { path } }));
    if (pentest.status === 'COMPLETED' && pentest.reportReleased) return pentest;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  throw new Error('The run did not end in time.');
}

const { findingCounts } = await judge();

const findings = have(
  await client.GET('/v1/pentests/{id}/findings', {
    params: { path, query: { severity: ['high', 'low'], limit: 100 } },
  }),
);
const runs = have(await client.GET('/v1/pentests', { params: { query: { status: ['COMPLETED', 'FAILED'] } } }));
const none = have(await client.GET('/v1/pentests', { params: { query: { status: ['QUEUED', 'PAUSED'] } } }));
const cancelled = have(await client.POST('/v1/pentests/{id}/cancel', { params: { path } }));
const scan = have(
  await client.POST('/v1/scans', {
    params: { header: { 'Idempotency-Key': randomUUID() } },
    body: { url: 'https://scan-clean.sandbox.example/' },
  }),
);
const refused = await client.GET('/v1/scans/{id}', { params: { path: { id: 'unknown' } } });

// The types refuse what the service refuses.
// @ts-expect-error: severities are written in lowercase
void (() => client.GET('/v1/pentests/{id}/findings', { params: { path, query: { severity: ['HIGH'] } } }));
// @ts-expect-error: a start needs an Idempotency-Key
void (() => client.POST('/v1/scans', { body: { url: 'https://example.com/' } }));

console.log(
  JSON.stringify({
    id: started.id,
    status: started.status,
    counted: findingCounts?.total,
    severities: findings.findings.map(({ severity }) => severity),
    runs: runs.pentests.map(({ id }) => id),
    none: none.pentests.length,
    cancelled: cancelled.status,
    scan: scan.status,
    code: refused.error?.code,
  }),
);
