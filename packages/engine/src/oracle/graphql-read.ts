import type { TargetRequest } from '../http/exchange/exchange.ts';
import { readJson } from './private-content.ts';

/** A GraphQL document without a mutation only reads. */
export function asksGraphql({ method, body }: Pick<TargetRequest, 'method' | 'body'>): boolean {
  const sent = method === 'POST' ? readJson(body?.toString() ?? '') : undefined;
  const documents = [sent]
    .flat()
    .map((each) => (typeof each === 'object' && each !== null ? Reflect.get(each, 'query') : undefined));
  return documents.every(
    (each) => typeof each === 'string' && /^\s*(?:query\b|\{|fragment\b)/.test(each) && !/\bmutation\b/.test(each),
  );
}
