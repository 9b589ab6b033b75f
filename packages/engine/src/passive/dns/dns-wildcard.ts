import { definePassiveCheck } from '../../check.ts';

export default definePassiveCheck({
  id: 'dns-wildcard',
  group: 'dns',
  severity: 'INFO',
  cwe: 200,
  title: 'Every name below the domain leads somewhere',
  why: 'Names that nobody has set up are answered all the same: mistyped and invented ones look as if they were yours.',
  fix: 'Replace the record for * by those of the names you use, if you can.',
  references: ['https://www.rfc-editor.org/rfc/rfc4592'],
  needs: ['wildcard'],

  *run({ wildcard }) {
    if (wildcard?.isThere) yield { evidence: `A ${wildcard.name}, a random name, has an answer` };
  },

  examples: [
    { name: 'a random name that is there', given: { dns: { wildcard: { isThere: true } } }, fails: 1 },
    { name: 'a random name that is not there', given: {}, fails: 0 },
    { name: 'a site without a name', given: { dns: null }, fails: 0 },
  ],
});
