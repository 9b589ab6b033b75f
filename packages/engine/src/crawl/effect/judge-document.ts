import { type FieldNode, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { type JudgedEffect, judgementOf } from '../inventory/effects.ts';
import { judgeField } from './judge-procedure.ts';
import { judgeRequest } from './judge-request.ts';
import { type LoginAsked, loginIn } from './logs-in.ts';

export interface DocumentAsked extends Partial<Omit<LoginAsked, 'method' | 'url' | 'procedure'>> {
  /** GraphQL document. */
  document: string;
  url: string;
  /** Description of its only field. */
  description?: string | undefined;
}

const MOST_TOKENS = 5_000;

/** What the root fields of a GraphQL document tell. */
interface RootFields {
  kind: OperationDefinitionNode['operation'];
  names: string[];
  /** Names that the client gives to the operations. */
  called: string[];
  /** The fields are within a fragment, so that `names` lacks them. */
  hasFragment: boolean;
  /** A field has an ID as a literal, which names a thing that exists. */
  hasId: boolean;
}

/**
 * Judges a GraphQL document by its fields. The client's name for a mutation counts as well: a general field such as
 * `execute` does whatever its arguments say.
 */
export function judgeDocument(asked: DocumentAsked): JudgedEffect {
  const { document, url, description, parameters } = asked;
  const roots = rootFieldsOf(document);
  if (!roots) {
    return /^\s*mutation\b/.test(document)
      ? judgementOf('acts', 'it is a mutation whose fields are unknown')
      : judgementOf('reads', 'it is a query');
  }
  if (roots.kind !== 'mutation') return worstOf(roots.names.map((field) => judgeField({ field, description })));
  const judged = judgeMutation(roots, url);
  const isLogin = parameters && loginIn({ ...asked, method: 'POST', parameters }, { prose: [description ?? ''] });
  if (judged.effect === 'changes' && isLogin) return judgementOf('logsIn', 'it takes a name and a password');
  return roots.hasId ? { ...judged, edits: true } : judged;
}

function worstOf(fields: readonly JudgedEffect[]): JudgedEffect {
  const worst = fields.find(({ effect }) => effect === 'endangers') ?? fields.find(({ effect }) => effect !== 'reads');
  return worst ?? judgementOf('reads', 'it is a query');
}

/** Fields in a fragment are unknown and therefore count as dangerous. */
function judgeMutation({ names, called, hasFragment }: RootFields, url: string): JudgedEffect {
  if (hasFragment) return judgementOf('acts', 'its fields are in a fragment');
  const judged = [...names, ...called].map((name) => judgeRequest({ method: 'POST', url, label: name }));
  return judged.find(({ effect }) => effect === 'endangers') ?? judgementOf('creates', 'it is a mutation');
}

/** Returns the root fields of the document; undefined if it is invalid. */
export function rootFieldsOf(query: string): RootFields | undefined {
  try {
    const { definitions } = parse(query, { noLocation: true, maxTokens: MOST_TOKENS });
    const operations = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
    const selected = operations.flatMap(({ selectionSet }) => selectionSet.selections);
    const fields = selected.filter((each) => each.kind === Kind.FIELD);
    const kind = operations.some(({ operation }) => operation === 'mutation') ? 'mutation' : 'query';
    return {
      kind,
      names: fields.map(({ name }) => name.value),
      called: operations.flatMap(({ name }) => name?.value ?? []),
      hasFragment: fields.length < selected.length,
      hasId: fields.some(hasLiteralId),
    };
  } catch {
    return undefined;
  }
}

const ID_NAME = /^_?(?:id|uuid|guid)s?$|[a-z](?:Id|Uuid|Guid)s?$/;

const hasLiteralId = ({ arguments: given = [] }: FieldNode) =>
  given.some(({ name, value }) => ID_NAME.test(name.value) && value.kind !== Kind.VARIABLE);
