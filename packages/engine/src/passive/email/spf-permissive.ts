import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'spf-permissive',
  group: 'email',
  severity: 'LOW',
  cwe: 290,
  title: 'The SPF record lets anybody send mail in the name of the domain',
  why: 'A record that says yes to everybody vouches for forged mail; one that says nothing about others is no help against it.',
  fix: 'End the record with -all, or with ~all as long as you are not sure that all your servers are named.',
  references: ['https://www.rfc-editor.org/rfc/rfc7208#section-5.1'],
  needs: ['spf'],

  *run({ spf }) {
    if (spf?.records.length !== 1) return;
    const [evidence = ''] = spf.records;
    if (spf.all === '+') yield { evidence, severity: 'HIGH' };
    // What could not be followed may say more.
    else if (spf.all === '?' || (spf.all === null && spf.isWhole && spf.lookUps <= 10)) yield { evidence };
  },

  examples: [
    { name: '+all', given: { dns: { spf: { records: ['v=spf1 +all'], all: '+' } } }, fails: 1, severity: 'HIGH' },
    { name: '?all', given: { dns: { spf: { records: ['v=spf1 mx ?all'], all: '?' } } }, fails: 1 },
    { name: 'no word about all others', given: { dns: { spf: { records: ['v=spf1 mx'], all: null } } }, fails: 1 },
    {
      name: 'a redirect that could not be followed',
      given: { dns: { spf: { records: ['v=spf1 redirect=a.example'], all: null, isWhole: false } } },
      fails: 0,
    },
    { name: '~all', given: { dns: { spf: { records: ['v=spf1 mx ~all'], all: '~' } } }, fails: 0 },
    { name: '-all', given: {}, fails: 0 },
    { name: 'no record, which is another finding', given: { dns: { spf: { records: [], all: null } } }, fails: 0 },
  ],
});
