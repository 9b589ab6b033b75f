import type { Coverage } from '@sortie/contract';

export const withoutBrowser = {
  group: 'scripting',
  reason: 'There was no browser.',
  cure: 'The operator has to install chromium where the worker runs, or set SORTIE_CHROMIUM.',
};
const writeLimit = {
  reason: 'At some requests, the run reached the limit of objects that it may create on the target.',
  cure: 'Choose a deeper level, or test a copy of the target that may keep test data.',
};

type Group = Coverage['groups'][number];
type Request = Coverage['requests'][number];

const origin = 'https://shop.example';
const search: Request = {
  method: 'GET',
  url: `${origin}/search?q`,
  operation: null,
  account: null,
  tested: ['injection', 'scripting'],
  partlyTested: [],
  notTested: [],
};
const review: Request = { ...search, method: 'POST', url: `${origin}/products/{id}/reviews`, account: 'customer' };
const none = { tested: 0, partlyTested: 0, notTested: 0, reasons: [] };
const notApplicable: Group = { group: 'graphql', status: 'NOT_APPLICABLE', ...none };
const tested = (group: string): Group => ({ ...none, group, status: 'TESTED', tested: 2 });

const coverageOf = (groups: readonly Group[], requests: Request[]): Coverage => ({
  groups: [...groups, notApplicable].toSorted((a, b) => a.group.localeCompare(b.group)),
  requests,
  omittedRequests: 0,
});

export const wholeCoverage = coverageOf([tested('injection'), tested('scripting')], [search, review]);

/** Coverage of a run that reached its level's limit of created objects. */
export const partialCoverage = coverageOf(
  [
    tested('scripting'),
    { group: 'injection', status: 'PARTLY_TESTED', tested: 1, partlyTested: 1, notTested: 0, reasons: [writeLimit] },
  ],
  [
    search,
    {
      ...review,
      tested: ['scripting'],
      partlyTested: [{ groups: ['injection'], reason: writeLimit.reason }],
    },
  ],
);

const { reason, cure } = withoutBrowser;
const unseen = { tested: ['injection'], notTested: [{ groups: ['scripting'], reason }] };
export const coverageWithoutBrowser = coverageOf(
  [
    tested('injection'),
    { ...none, group: 'scripting', status: 'NOT_TESTED', notTested: 2, reasons: [{ reason, cure }] },
  ],
  [
    { ...search, ...unseen },
    { ...review, ...unseen },
  ],
);
