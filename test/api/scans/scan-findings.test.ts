import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ScanFindingsResponse } from '@sortie/contract';
import { assertRefused } from '@sortie/testing/http/assert-answer.ts';
import { addFinding, complete, createScanning, type NewFinding, scanWorld } from '@sortie/testing/world/scans.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';

let world: World;
let owner: Member;
before(async () => {
  world = await createWorld(scanWorld);
  owner = await world.createMember();
});
after(() => world.end());

const { get, started } = createScanning(() => world);

async function readFindings(member: Member, id: string, parameters: Record<string, string> = {}) {
  const answer = await get(`/v1/scans/${id}/findings?${new URLSearchParams(parameters)}`, member);
  assert.equal(answer.status, 200, answer.text);
  return answer.body as unknown as ScanFindingsResponse;
}

const idsOf = ({ findings }: ScanFindingsResponse) => findings.map(({ id }) => id);

describe('GET /v1/scans/{id}/findings answers 200', () => {
  it('with total null and no findings until the scan is COMPLETED', async () => {
    const id = await started(owner);
    await addFinding(world, id, { id: 'early' });
    const nothing = { id, status: 'STARTED', total: null, nextOffset: null, findings: [] };
    assert.deepEqual(await readFindings(owner, id), nothing);
    assert.deepEqual(await readFindings(owner, id, { severity: 'low', limit: '1' }), nothing);
    await complete(world, id);
    const { total, status, findings } = await readFindings(owner, id);
    assert.deepEqual([total, status, findings.length], [1, 'COMPLETED', 1]);
  });

  it('with total null and no findings when the scan could not judge the site', async () => {
    const id = await started(owner);
    await world.testDatabase.database.pool.query(
      `update scan set status = 'COMPLETED', failure_code = 'UNREACHABLE', failure_message = 'No answer.',
         completed_at = service_now() where id = $1`,
      [id],
    );
    const nothing = { id, status: 'COMPLETED', total: null, nextOffset: null, findings: [] };
    assert.deepEqual(await readFindings(owner, id), nothing);
  });

  it('with total 0 when nothing was found', async () => {
    const id = await started(owner);
    await complete(world, id);
    const nothing = { id, status: 'COMPLETED', total: 0, nextOffset: null, findings: [] };
    assert.deepEqual(await readFindings(owner, id), nothing);
    assert.deepEqual(await readFindings(owner, id, { offset: '10000' }), nothing);
  });

  it('with every field of a finding, and nothing else', async () => {
    const id = await started(owner);
    await world.testDatabase.database.pool.query(
      `insert into scan_finding values ('full', $1, 'tls-version', 'Old TLS', 'TLS 1.0 is offered.', 'HIGH', 'FIRM',
         'tls', 'https://www.example.com/', 'TLS 1.0 handshake', 'Turn it off.', 326, 25,
         '{"https://one.example/","https://two.example/"}')`,
      [id],
    );
    await addFinding(world, id, { id: 'sparse', severity: 'INFO' });
    await complete(world, id);
    const { findings } = await readFindings(owner, id);
    assert.deepEqual(findings, [
      {
        id: 'full',
        checkId: 'tls-version',
        title: 'Old TLS',
        description: 'TLS 1.0 is offered.',
        severity: 'HIGH',
        confidence: 'FIRM',
        category: 'tls',
        affectedUrl: 'https://www.example.com/',
        evidence: 'TLS 1.0 handshake',
        remediation: 'Turn it off.',
        cweId: 'CWE-326',
        scoreImpact: 25,
        references: ['https://one.example/', 'https://two.example/'],
      },
      {
        id: 'sparse',
        checkId: 'a-check',
        title: 'A title',
        description: 'What it is.',
        severity: 'INFO',
        confidence: 'CONFIRMED',
        category: 'headers',
        affectedUrl: null,
        evidence: null,
        remediation: 'Fix it.',
        cweId: null,
        scoreImpact: 0,
        references: [],
      },
    ]);
  });
});

describe('the order and the pages of GET /v1/scans/{id}/findings', () => {
  /** Worst first; the ids say why each one stands where it does. */
  const inOrder: NewFinding[] = [
    { id: 'critical', severity: 'CRITICAL', impact: 55 },
    { id: 'critical-tentative', severity: 'CRITICAL', confidence: 'TENTATIVE' },
    { id: 'high-more', severity: 'HIGH', impact: 25 },
    { id: 'high-less', severity: 'HIGH', impact: 9 },
    { id: 'high-firm', severity: 'HIGH', confidence: 'FIRM', impact: 25 },
    { id: 'medium', severity: 'MEDIUM', impact: 8 },
    { id: 'low-first-id', severity: 'LOW', impact: 3 },
    { id: 'low-second-id', severity: 'LOW', impact: 3 },
    { id: 'low-a-first-url', severity: 'LOW', impact: 3, affectedUrl: 'https://Z.example/' },
    { id: 'low-a-second-url', severity: 'LOW', impact: 3, affectedUrl: 'https://a.example/' },
    { id: 'low-a-second-title', severity: 'LOW', impact: 3, title: 'B title' },
    { id: 'low-a-second-check', severity: 'LOW', impact: 3, checkId: 'b-check', title: 'A' },
    { id: 'low-tentative', severity: 'LOW', confidence: 'TENTATIVE', impact: 3 },
    { id: 'info', severity: 'INFO' },
  ];
  const ids = inOrder.map(({ id }) => id);
  let scanId: string;

  before(async () => {
    scanId = await started(owner);
    // Neither as they should come, nor exactly the other way round.
    for (const index of [4, 9, 13, 0, 7, 11, 2, 8, 10, 6, 1, 12, 5, 3])
      await addFinding(world, scanId, inOrder[index] as NewFinding);
    await complete(world, scanId);
  });

  it('severity, then confidence, then what it took from the score, then check, title, address and id', async () => {
    const { total, nextOffset, ...page } = await readFindings(owner, scanId);
    assert.deepEqual([idsOf(page as ScanFindingsResponse), total, nextOffset], [ids, 14, null]);
  });

  for (const [severity, expected] of Object.entries({
    high: ['high-more', 'high-less', 'high-firm'],
    'info,critical': ['critical', 'critical-tentative', 'info'],
    'medium,medium': ['medium'],
    'critical,high,medium,low,info': ids,
  })) {
    it(`severity=${severity} leaves out the others, and total counts what is left`, async () => {
      const page = await readFindings(owner, scanId, { severity });
      assert.deepEqual([idsOf(page), page.total, page.nextOffset], [expected, expected.length, null]);
    });
  }

  for (const limit of [1, 3, 5, 10]) {
    it(`pages of ${limit} have each finding once, and nextOffset is null on the last`, async () => {
      const seen: string[] = [];
      let offset: number | null = 0;
      while (offset !== null) {
        const page = await readFindings(owner, scanId, { limit: String(limit), offset: String(offset) });
        assert.ok(page.findings.length > 0 && page.findings.length <= limit);
        assert.equal(page.total, ids.length);
        seen.push(...idsOf(page));
        offset = page.nextOffset;
      }
      assert.deepEqual(seen, ids);
    });
  }

  it('pages and severities go together', async () => {
    const page = await readFindings(owner, scanId, { severity: 'high,low', limit: '2', offset: '2' });
    assert.deepEqual([idsOf(page), page.total, page.nextOffset], [['high-firm', 'low-first-id'], 10, 4]);
  });

  it('a page after the last is empty, and total is still told', async () => {
    const page = await readFindings(owner, scanId, { offset: '14' });
    assert.deepEqual([idsOf(page), page.total, page.nextOffset], [[], 14, null]);
  });

  it('a page has 20 findings unless limit says otherwise', async () => {
    const id = await started(owner);
    for (let i = 0; i < 21; i++) await addFinding(world, id, { id: `page_${String(i).padStart(2, '0')}` });
    await complete(world, id);
    const first = await readFindings(owner, id);
    assert.deepEqual([first.findings.length, first.total, first.nextOffset], [20, 21, 20]);
    assert.deepEqual(idsOf(await readFindings(owner, id, { offset: '20' })), ['page_20']);
    assert.equal((await readFindings(owner, id, { limit: '100' })).findings.length, 21);
  });

  it('answers 400 with the parameter that is wrong', async () => {
    for (const [name, values] of Object.entries({
      severity: ['HIGH', 'high,', 'high, low', 'severe', ''],
      limit: ['0', '101', '-1', 'all', ''],
      offset: ['-1', '9007199254740992', '1.5', ''],
    })) {
      for (const value of values) {
        const answer = await get(`/v1/scans/${scanId}/findings?${new URLSearchParams({ [name]: value })}`, owner);
        assertRefused(answer, 'VALIDATION_ERROR', name);
      }
    }
    const twice = await get(`/v1/scans/${scanId}/findings?limit=1&limit=2`, owner);
    assertRefused(twice, 'VALIDATION_ERROR', 'limit');
  });
});
