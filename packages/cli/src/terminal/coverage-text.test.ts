import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverageText } from './coverage-text.ts';

test('the coverage of a run is a table of its groups, with each reason once', () => {
  const browser = { reason: 'There was no browser.\u001b[2J', cure: 'Install one.' };
  const some = { tested: 3, partlyTested: 1, notTested: 0 };
  const text = coverageText({
    groups: [
      { group: 'graphql', status: 'NOT_APPLICABLE', tested: 0, partlyTested: 0, notTested: 0, reasons: [] },
      { group: 'scripting', status: 'PARTLY_TESTED', ...some, reasons: [browser] },
      { group: 'stored', status: 'PARTLY_TESTED', ...some, reasons: [browser] },
    ],
    requests: [],
    omittedRequests: 4,
  });
  assert.equal(
    text,
    [
      'Coverage of 4 requests, counted per account',
      'group      status          tested  partly  not tested',
      'graphql    not applicable  0       0       0',
      'scripting  partly tested   3       1       0',
      'stored     partly tested   3       1       0',
      'scripting, stored: There was no browser.?[2J Install one.',
      '',
    ].join('\n'),
  );
});
