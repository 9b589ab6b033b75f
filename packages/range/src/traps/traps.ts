import type { Trap } from '../flaw.ts';

const trap = (id: string, kind: Trap['kind'], path: string, title: string, method: Trap['method'] = 'GET'): Trap => ({
  id,
  kind,
  method,
  path,
  title,
});

/** Places that a crawler must not get lost in, and actions that it must not trigger. */
export const traps: readonly Trap[] = [
  trap('calendar', 'endless', '/calendar', 'Every month links the next one'),
  trap('facets', 'endless', '/facets', 'Filters that can be combined without end'),
  trap('maze', 'endless', '/maze/', 'Every path links deeper ones'),
  trap('visit-in-link', 'endless', '/stroll', 'Links carry a number that is new at each visit'),
  trap('loop', 'endless', '/round', 'A redirect that leads to itself'),
  trap('silence', 'silent', '/silence', 'Never answers'),
  trap('drip', 'silent', '/drip', 'Answers a little each second, and does not come to an end'),
  trap('sign-out', 'forbidden', '/account/sign-out', 'Ends the session'),
  trap('log-off', 'forbidden', '/session/end', 'Ends the session; only its label says so (Log out)'),
  trap('delete-account', 'forbidden', '/account/delete', 'Deletes the account'),
  trap('remove-order', 'forbidden', '/order/remove', 'Removes an order'),
  trap('pay', 'forbidden', '/pay', 'Pays'),
  trap('buy', 'forbidden', '/quick/buy-now', 'Orders and pays at once'),
  trap('reset', 'forbidden', '/database/reset', 'Empties the shop'),
  trap('populate', 'forbidden', '/shelves/populate', 'Fills the shop with samples'),
  trap('start-over', 'forbidden', '/begin', 'Empties all baskets; only its label says so (Start over)'),
  trap('toggle', 'forbidden', '/display/toggle', 'Toggles the wholesale view for everybody'),
  trap('enforce', 'forbidden', '/transport/enforce', 'Allows https only, which ends all sessions'),
  trap('mode', 'forbidden', '/mode', 'Lowers the security mode, which only the query says (security=low)'),
  trap('summary-only', 'forbidden', '/api/shelf-tools', 'Resets the shop, which only the API description says'),
  { ...trap('changing-query', 'forbidden', '/graphql', 'A query that deletes', 'POST'), field: 'deleteAllBaskets' },
  {
    ...trap('described-query', 'forbidden', '/graphql', 'A query that resets, by its description', 'POST'),
    field: 'housekeeping',
  },
  {
    ...trap('unnamed-query', 'harmful', '/graphql', 'A query that nothing tells to empty a list', 'POST'),
    field: 'dusk',
  },
  trap('unsubscribe', 'forbidden', '/newsletter/unsubscribe', 'Ends the newsletter'),
  trap('in-the-query', 'forbidden', '/item', 'Deletes, which only the query says (action=delete)'),
  trap('delete-form', 'forbidden', '/account/close', 'A form that closes the account', 'POST'),
  trap('transfer-form', 'forbidden', '/coins/transfer', 'A form that sends coins to somebody', 'POST'),
  trap('edit-by-anybody', 'harmful', '/notices/3/edit', 'A visitor changes a notice of others', 'POST'),
  trap('invented-id', 'harmful', '/notices', 'An ID in an empty hidden field overwrites a notice', 'POST'),
  trap('flood', 'harmful', '/notices', 'More notices than the deepest level may write', 'POST'),
  trap('place-to-write', 'harmful', '/notices/export', 'A value decides into which folder a file goes', 'POST'),
  trap('not-restored', 'harmful', '/api/my/motto', 'A customer keeps a motto that is not theirs', 'PUT'),
  trap('way-out', 'harmful', '/terrace', 'A page of an innocent name ends the session'),
  trap(
    'other-mode',
    'harmful',
    '/veranda',
    'A page of an innocent name switches the mode of the shop for the customer',
  ),
  trap('hidden-order', 'forbidden', '/do', 'A form whose hidden field says that it deletes', 'POST'),
];
