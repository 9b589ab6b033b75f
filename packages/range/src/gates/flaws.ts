import { type Flaw, plant } from '../flaw.ts';

const gate = { check: 'FORBID-BYP', cwe: 288, depth: 'STANDARD', spans: 'guard' } as const;

/** Pages for the staff whose guard looks at the form of the request. */
export const gateFlaws: Flaw[] = [
  plant({
    id: 'gate-for-known-verbs',
    ...gate,
    title: 'The guard of the takings asks only those who GET or POST',
    path: '/admin/takings',
    safePath: '/admin/ledger',
  }),
  plant({
    id: 'gate-for-one-spelling',
    ...gate,
    title: 'The guard of the rota does not know it with a slash at its end',
    path: '/admin/rota',
    safePath: '/admin/roster',
  }),
  plant({
    id: 'gate-for-local-names',
    ...gate,
    title: 'The guard of the stock admits every request to a local host name',
    path: '/admin/stock',
    safePath: '/admin/storage',
  }),
];
