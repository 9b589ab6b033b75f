import { definePassiveCheck } from '../../check.ts';
import { isPublicAddress } from '../../target/addresses.ts';

const addresses = (...ipv4: string[]) => ({ ipv4, ipv6: [] });

export default definePassiveCheck({
  id: 'dns-private-address',
  group: 'dns',
  severity: 'MEDIUM',
  cwe: 200,
  title: 'A public name leads to a private address',
  why: "The record tells how the network inside is numbered, and leads visitors to whatever has that address in theirs: with this site's cookies.",
  fix: 'Remove the record from the public zone; serve names of inside from name servers of inside.',
  references: ['https://www.rfc-editor.org/rfc/rfc1918#section-5'],
  needs: ['hostNames'],

  *run({ hostNames }) {
    for (const host of hostNames ? [hostNames.site, hostNames.counterpart] : []) {
      const all = [...(host?.ipv4 ?? []), ...(host?.ipv6 ?? [])];
      const inside = all.filter((address) => !isPublicAddress(address));
      if (!host || inside.length === 0) continue;
      // Whoever looks from inside may be told what nobody is told outside.
      const confidence = inside.length === all.length && host === hostNames?.site ? 'TENTATIVE' : 'FIRM';
      yield { evidence: `${host.host}: ${inside.join(', ')}`, confidence };
    }
  },

  examples: [
    {
      name: 'one of two addresses',
      given: { dns: { hostNames: { site: addresses('8.8.8.8', '10.0.0.5'), counterpart: addresses('8.8.8.8') } } },
      fails: 1,
    },
    {
      name: 'the name with www',
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
    { name: 'a site without a name', given: { dns: null }, fails: 0 },
  ],
});
