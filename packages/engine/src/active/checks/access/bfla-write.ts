import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { compareAll } from '../../../oracle/private-content.ts';
import { defineRequestCheck, type Known } from '../../define-active-check.ts';
import { type PointRequest, requestWith } from '../../insertion-point.ts';
import { isFunction, readsOnly, refusedFunction } from '../../shared/accounts.ts';

/** An account, and an administrative page that it is refused: it is no administrator. */
interface Variant {
  as: string;
  closed: string;
}

/** Sends values of the wrong type only: a server that validates them rejects the request and changes nothing. */
const typedOf = ({ parameters }: InventoryItem): Parameter | undefined =>
  parameters.find(({ location, type }) => location === 'json' && type === 'number');

function unusable(item: InventoryItem, word: string): PointRequest {
  const parameter = typedOf(item);
  return parameter ? requestWith({ item, parameter }, word) : requestOf(item);
}

const REFUSED = new Set([401, 403]);
const NOT_UNDERSTOOD = new Set([400, 422]);

const ordinaryIn = (known: Known): Variant[] =>
  known.accounts
    .flatMap(({ name }) => {
      const closed = refusedFunction(known, name);
      return closed === undefined ? [] : [{ as: name, closed }];
    })
    .slice(0, 1);

export default defineRequestCheck({
  id: 'bfla-write',
  title: 'Broken function level authorization (BFLA): users reach admin actions',
  cwe: 285,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:N/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker with any account can probably perform the administrative action, such as changing or deleting records of other users.',
  why: 'An ordinary account sent an administrative request with unusable values, and the server rejected the values rather than the account. It therefore validates the input before it checks the role, or does not check the role at all. An attacker with any account can probably perform the action with valid values.',
  fix: 'Check the role on the server before the request is parsed or validated. Do so in one central place, and deny by default.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa5-broken-function-level-authorization/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Authorization_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/285.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  appliesTo: (item, known) =>
    item.seenAs !== null &&
    !readsOnly(item) &&
    item.operation === undefined &&
    isFunction(item.url) &&
    typedOf(item) !== undefined &&
    ordinaryIn(known).length > 0,
  variants: [] as Variant[],
  probe: async (_item, _nonce, { known }) => ordinaryIn(known),
  maxRequests: 6,
  proof: {
    plan: (item, { as, closed }, { word }) => ({
      nobody: {
        label: 'unusable values without a login',
        request: unusable(item, word),
        as: null,
        isControl: true,
      },
      low: { label: 'unusable values as an ordinary account', request: unusable(item, word), as },
      closed: {
        label: 'as the ordinary account, administrative page that is refused',
        request: { method: 'GET', url: closed },
        as,
        isControl: true,
      },
    }),
    judge(answers) {
      const compared = compareAll(answers);
      if (!compared) return 'VOID';
      const { nobody, low, closed } = compared;
      const isReached = NOT_UNDERSTOOD.has(low.status) && REFUSED.has(nobody.status) && REFUSED.has(closed.status);
      // LIKELY only: some servers validate the values before they check the role.
      return isReached ? 'LIKELY' : 'REFUTED';
    },
  },
  lab() {
    const refused = (status: number) => ({ status, body: '{"error":"not for you"}' });
    return {
      item: {
        method: 'POST',
        url: '/admin/coupons',
        parameters: [{ location: 'json', name: '/percent', value: '10', type: 'number' }],
        body: { type: 'application/json', text: '{"percent":10}' },
        seenAs: 'alice',
        contentType: 'application/json',
      },
      refused: [{ as: 'alice', url: '/admin/keys' }],
      confidence: 'FIRM',
      vulnerable({ path, account, body }) {
        if (account === null) return refused(401);
        if (path !== '/admin/coupons') return refused(403);
        return typeof JSON.parse(body).percent === 'number' ? { status: 201 } : { status: 400, body: 'percent?' };
      },
      safe: ({ account }) => refused(account === null ? 401 : 403),
    };
  },
});
