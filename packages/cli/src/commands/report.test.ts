import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formats } from '@sortie/report';
import { reportCommand } from './report.ts';

it('the help of "report" names every file that is written without --output', () => {
  const help = reportCommand().helpInformation().replace(/\s+/g, ' ');
  assert.match(help, /default: stdout for one format, except sortie\.pdf for pdf; for several: /);
  for (const { fileName } of Object.values(formats)) assert.ok(help.includes(` ${fileName}`), fileName);
});
