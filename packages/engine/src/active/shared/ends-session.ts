import type { InventoryItem } from '../../crawl/inventory/inventory.ts';

/** The words of a link or a path that logs out. */
export const LOGOUT =
  /log[\s_-]?(?:out|off)|sign[\s_-]?(?:out|off)|abmeld|ausloggen|d[eé]connexion|cerrar[\s_-]sesi|uitlog/i;
/** Longer paths may log out other users. */
const ENDS = /\/(?:log|sign)[_-]?(?:out|off)\/?$/i;
const OWN_SESSION = /\/(?:(?:session|token|auth)|sessions\/(?:current|me|self))\/?$/i;
const OF_OTHERS = /(?:^|[/_-])(?:admin\w*|all|everyone|others?)(?=$|[/_-])/i;

/** Returns whether the request only ends the session that sends it: it names nothing else. */
export function endsSession({
  method,
  url,
  parameters,
  operation,
}: Pick<InventoryItem, 'url' | 'parameters' | 'operation'> & { method: string }): boolean {
  const { pathname, search } = new URL(url);
  if (operation !== undefined || search !== '' || OF_OTHERS.test(pathname)) return false;
  if (parameters.some(({ location }) => location !== 'header' && location !== 'cookie')) return false;
  if (method === 'DELETE') return ENDS.test(pathname) || OWN_SESSION.test(pathname);
  return (method === 'POST' || method === 'GET') && ENDS.test(pathname);
}
