import assert from 'node:assert/strict';
import { it } from 'node:test';
import { samplePentest } from '@sortie/testing/reports/sample-reports.ts';
import { renderMarkdown } from './markdown.ts';

const shownOf = (status: string) => renderMarkdown(samplePentest({ status, released: false, findings: [] }));

it('a run is in progress only while it is tested', () => {
  assert.match(shownOf('RECON'), /The run is in progress \(RECON\): findings may be added\./);
  assert.match(shownOf('QUEUED'), /The run has not started yet \(QUEUED\)/);
  assert.match(shownOf('AWAITING_PAYMENT'), /The run waits for its payment \(AWAITING\\_PAYMENT\)/);
  assert.match(shownOf('PAUSED'), /The run is paused until it is resumed in the dashboard \(PAUSED\)/);
  assert.match(shownOf('DREAMING'), /The run is not over \(DREAMING\)/);
});
