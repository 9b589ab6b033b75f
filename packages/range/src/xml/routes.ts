import { json, type Routes, type Visit } from '../answer.ts';
import { fetchFromInside } from '../leaving/outside.ts';
import type { Services } from '../services.ts';
import { openFile, readElements } from './expand.ts';

export function xmlRoutes({ mayCall, lookUp }: Services): Routes {
  const open = async (url: string) => {
    const file = openFile(url);
    if (file !== undefined) return file;
    const fetched = await fetchFromInside(url, mayCall, lookUp);
    return 'content' in fetched ? fetched.content : undefined;
  };
  const load = (opening: typeof open | undefined) => async (visit: Visit) => {
    const wishes = await readElements(visit.body.toString(), 'wish', opening);
    return wishes ? json({ wishes }) : json({ error: 'that is no wish list' }, 400);
  };
  const order = (opening: typeof open | undefined) => async (visit: Visit) => {
    await readElements(visit.body.toString(), 'wish', opening);
    return json({ state: 'ordered' }, 202);
  };
  return {
    /** The flaw: XXE, because the parser resolves the document's own entities. */
    'POST /api/wishes/import': load(open),
    'POST /api/wishes/load': load(undefined),
    'POST /api/wishes/order': order(open),
    'POST /api/wishes/request': order(undefined),
  };
}
