/**
 * A flaw that takes understanding: no check of the engine looks for it, so that it is no part of the key. Its twin is at the
 * same path below `/fellowship`.
 */
export interface FlawForModels {
  id: string;
  needs: 'model';
  /** Class of the experiment that proves it. */
  class: string;
  title: string;
  method: 'GET' | 'POST';
  /** `{id}` is a path parameter. */
  path: string;
}

const flaw = (id: string, place: string, className: string, title: string): FlawForModels => {
  const [method = 'GET', path = ''] = place.split(' ');
  return { id, needs: 'model', class: className, title, method: method as 'GET' | 'POST', path };
};

/** The planted flaws that only a planner with a language model can find. */
export const flawsForModels: readonly FlawForModels[] = [
  flaw('hidden-price', 'POST /society/prints', 'price-manipulation', 'The price of a print is a hidden field'),
  flaw(
    'price-of-two-steps',
    'POST /society/hampers/{id}/confirm',
    'price-manipulation',
    'The second step changes the quantity, not the total',
  ),
  flaw(
    'voucher-twice',
    'POST /society/vouchers/{id}/apply',
    'business-logic',
    'A voucher in small letters counts as another one',
  ),
  flaw(
    'skipped-payment',
    'POST /society/voyages/{id}/ticket',
    'workflow-bypass',
    'A ticket is issued without the payment',
  ),
  flaw(
    'seat-after-cancel',
    'POST /society/tables/{id}/seat',
    'workflow-bypass',
    'A cancelled table can still be taken',
  ),
  flaw('printed-view', 'GET /society/papers/{id}', 'filter-bypass', 'The printed view checks no owner'),
  flaw(
    'export-of-other-team',
    'GET /society/ledgers/export',
    'tenant-isolation',
    'The export takes the team from the address',
  ),
  flaw(
    'stored-reference',
    'GET /society/shelves/summary',
    'object-access',
    'A stored number is not checked when it is used',
  ),
  flaw('numbered-links', 'GET /society/spare/{id}', 'predictable-token', 'Links to lost keys are numbered'),
  flaw(
    'stated-role',
    'POST /society/notices',
    'function-access',
    'A role in the request counts more than that of the member',
  ),
  flaw(
    'undeclared-permit',
    'POST /society/permits/{id}/file',
    'sequence-bypass',
    'A permit whose days were not declared can be filed',
  ),
];

/** What looks like a flaw for models and is meant so: below `/society` and `/fellowship` alike. */
export const decoysForModels: readonly FlawForModels[] = [
  flaw(
    'pass-at-the-counter',
    'POST /society/passes/{id}/file',
    'sequence-bypass',
    'A pass can be filed without days: a page that it links to offers that',
  ),
];
