import { isPublicAddress } from '../../../target/addresses.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const addresses = (...ipv4: string[]) => ({ ipv4, ipv6: [] });

export default definePassiveCheck({
  id: 'dns-private-address',
  group: 'dns',
  severity: 'MEDIUM',
  cwe: 200,
  title: 'Public DNS record points to a private IP address',
  why: 'A public hostname of this domain resolves to a private or reserved IP address. The record discloses internal addressing, and on other networks the name leads to whichever machine has that address there: an attacker in the same Wi-Fi can answer as your host and collect its cookies. The evidence lists the addresses.',
  fix: 'Remove the record from the public zone and serve internal names from internal resolvers (split-horizon DNS). Let the resolvers of your network filter private addresses in public answers (DNS rebinding protection).',
  references: ['https://www.rfc-editor.org/rfc/rfc1918#section-5', 'https://cwe.mitre.org/data/definitions/200.html'],
  needs: ['hostNames'],

  *run({ hostNames }) {
    for (const host of hostNames ? [hostNames.site, hostNames.counterpart] : []) {
      const all = [...(host?.ipv4 ?? []), ...(host?.ipv6 ?? [])];
      const inside = all.filter((address) => !isPublicAddress(address));
      if (!host || inside.length === 0) continue;
      // With split-horizon DNS, a scan from inside the network sees records that are not public.
      const confidence = inside.length === all.length && host === hostNames?.site ? 'TENTATIVE' : 'FIRM';
      yield { evidence: `${host.host}: ${inside.join(', ')}`, confidence };
    }
  },

  examples: [
    {
      name: 'one of two addresses is private',
      given: { dns: { hostNames: { site: addresses('8.8.8.8', '10.0.0.5'), counterpart: addresses('8.8.8.8') } } },
      fails: 1,
    },
    {
      name: 'www hostname',
      given: { dns: { hostNames: { site: addresses('8.8.8.8'), counterpart: addresses('127.0.0.1') } } },
      fails: 1,
    },
    {
      name: 'public addresses',
      given: {
        dns: {
          hostNames: { site: { ipv4: ['8.8.8.8'], ipv6: ['2606:4700::1'] }, counterpart: addresses('8.8.8.8') },
        },
      },
      fails: 0,
    },
    { name: 'target without a hostname', given: { dns: null }, fails: 0 },
  ],
});
