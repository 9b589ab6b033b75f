import { definePassiveCheck } from '../../check.ts';
import { itemOf } from '../../evidence/structured.ts';

const sent = (value: string) => ({ headers: { 'origin-agent-cluster': value } });

export default definePassiveCheck({
  id: 'origin-agent-cluster-off',
  group: 'headers',
  severity: 'INFO',
  cwe: 693,
  title: 'The page asks to share a process with other parts of its site',
  why: 'Origin-Agent-Cluster: ?0 gives up the separation between the subdomains of a site that browsers have by default.',
  fix: 'Remove the header, or send Origin-Agent-Cluster: ?1, unless pages of several subdomains still set document.domain.',
  references: ['https://html.spec.whatwg.org/multipage/browsers.html#origin-keyed-agent-clusters'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    if (itemOf(mainDocument.headers('origin-agent-cluster')) !== false) return;
    yield { evidence: mainDocument.headerLines('origin-agent-cluster') };
  },

  examples: [
    { name: 'off', given: sent('?0'), fails: 1 },
    { name: 'off, with a parameter', given: sent(' ?0;a=1'), fails: 1 },
    { name: 'on', given: sent('?1'), fails: 0 },
    { name: 'nothing that browsers understand', given: sent('0'), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
