import { plant } from '../flaw.ts';

export const directoryFlaws = [
  plant({
    id: 'ldap-filter',
    check: 'LDAPI',
    title: 'The name of a colleague becomes part of an LDAP filter',
    path: '/staff',
    parameter: 'name',
    sample: 'frank',
    safePath: '/colleagues',
  }),
  plant({
    id: 'ldap-or',
    check: 'LDAPI',
    title: 'A name or room becomes part of an OR of an LDAP filter',
    method: 'POST',
    path: '/extensions',
    location: 'form',
    parameter: 'who',
    sample: 'frank',
    safePath: '/telephones',
  }),
  plant({
    id: 'xpath-condition',
    check: 'XPATHI',
    title: 'The name of a shelf becomes part of an XPath condition',
    path: '/floor-plan',
    parameter: 'shelf',
    sample: 'tents',
    safePath: '/floor-map',
  }),
];
