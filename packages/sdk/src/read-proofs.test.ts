import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeService, type Received } from '@sortie/testing/cli/sdk-service.ts';
import { samplePentestFinding } from '@sortie/testing/reports/sample-reports.ts';
import type { PentestFinding } from './types.ts';

const finding = (number: number) => samplePentestFinding({ id: `fnd_${number}` }) as PentestFinding;
const findings = (count: number) => Array.from({ length: count }, (_, index) => finding(index));

const proof = { evidence: [], evidenceDeletedAt: null, curl: 'curl https://shop.example.com/' };
const refusal = (statusCode: number, code: string) => ({
  status: statusCode,
  body: { code, message: 'No', statusCode },
});
const answering = (answer: (id: string) => object) => (received: Received) =>
  answer(new URL(received.url).pathname.split('/').at(-1) ?? '');

describe('the proofs of findings', () => {
  it('are read for the 100 worst, and all findings keep their order', async () => {
    const service = createFakeService([answering((id) => ({ body: { id, ...proof } }))], { goesOn: true });
    let started = 0;
    const onStart = (count: number) => {
      started = count;
    };
    const proofs = await service.client().readProofs('pen_1', findings(103), { onStart });
    assert.deepEqual([started, proofs.missing, proofs.left, service.received.length], [100, 0, 3, 100]);
    assert.deepEqual(
      proofs.findings.map(({ id }) => id),
      findings(103).map(({ id }) => id),
    );
    assert.deepEqual([proofs.findings[99]?.curl, proofs.findings[100]?.curl], [proof.curl, undefined]);
  });

  it('are left out for a finding that was excluded meanwhile', async () => {
    const answer = (id: string) => (id === 'fnd_1' ? refusal(404, 'NOT_FOUND') : { body: { id, ...proof } });
    const service = createFakeService([answering(answer)], { goesOn: true });
    const proofs = await service.client().readProofs('pen_1', findings(6));
    assert.equal(proofs.missing, 1);
    assert.deepEqual(
      proofs.findings.filter(({ curl }) => curl === undefined).map(({ id }) => id),
      ['fnd_1'],
    );
  });

  it('are not asked for further after another failure, or if the service has none at all', async () => {
    for (const refused of [refusal(403, 'FORBIDDEN'), refusal(404, 'NOT_FOUND')]) {
      const service = createFakeService([() => refused], { goesOn: true });
      const proofs = await service.client().readProofs('pen_1', findings(50));
      assert.ok(service.received.length < 10, `${service.received.length} requests`);
      assert.deepEqual([proofs.missing, proofs.findings], [50, findings(50)]);
    }
  });
});
