import { json, type Routes, type Visit } from '../answer.ts';
import { readElements } from './expand.ts';

export function xmlRoutes(): Routes {
  const load = (mayUseEntities: boolean) => (visit: Visit) => {
    const wishes = readElements(visit.body.toString(), 'wish', mayUseEntities);
    return wishes ? json({ wishes }) : json({ error: 'that is no wish list' }, 400);
  };
  return {
    /** The flaw: the document says what its entities are. */
    'POST /api/wishes/import': load(true),
    'POST /api/wishes/load': load(false),
  };
}
