import { isHostOf } from '../../../evidence/page/foreign-loads.ts';
import { loadsOf } from '../../../evidence/page/loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

/** Domains of the polyfill.io supply chain attack of 2024. */
const HOSTS =
  `polyfill.io bootcdn.net bootcss.com staticfile.net staticfile.org unionadjs.com xhsbpza.com union.macoms.la
  newcrbpc.com`.split(/\s+/);

const script = (src: string) => ({ body: `<script src="${src}"></script>` });

export default definePassiveCheck({
  id: 'script-malicious-host',
  group: 'content',
  severity: 'CRITICAL',
  cwe: 829,
  title: 'Supply chain attack: script loaded from a known malicious host',
  why: 'The page loads a script from a host that has served malicious code, such as polyfill.io after its sale in 2024. The script runs with full access to the page and can steal sessions and input, or redirect visitors. The evidence shows the URL.',
  fix: 'Remove the script, or serve a reviewed copy from this site. Check what visitors may have received, and restrict script sources with a Content-Security-Policy.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Third_Party_Javascript_Management_Cheat_Sheet.html',
    'https://sansec.io/research/polyfill-supply-chain-attack',
    'https://cwe.mitre.org/data/definitions/829.html',
  ],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    for (const { kind, url: source } of loadsOf(page, url)) {
      if (kind === 'script' && isHostOf(source.hostname, HOSTS)) yield { evidence: `<script> loads ${source.href}` };
    }
  },

  examples: [
    { name: 'malicious host', given: script('https://polyfill.io/v3/polyfill.min.js'), fails: 1 },
    { name: 'subdomain of it', given: script('//cdn.polyfill.io/v2/polyfill.js'), fails: 1 },
    { name: 'similar host name', given: script('https://mypolyfill.io/a.js'), fails: 0 },
    { name: 'prefix of another domain', given: script('https://polyfill.io.site.example/a.js'), fails: 0 },
    { name: 'link only', given: { body: '<a href="https://polyfill.io/">gone</a>' }, fails: 0 },
    { name: 'path of the same site', given: script('/polyfill.io/a.js'), fails: 0 },
  ],
});
