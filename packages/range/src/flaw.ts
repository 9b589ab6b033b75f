import { type CheckClass, catalogue, type Depth, type Severity } from './catalogue.ts';

/** Where in a request the value is; `message` is one that another window posts, `body` all of it, `none` no value. */
type PlaceOf =
  | 'query'
  | 'path'
  | 'form'
  | 'json'
  | 'multipart'
  | 'cookie'
  | 'header'
  | 'graphql'
  | 'fragment'
  | 'message'
  | 'body'
  | 'none';

export interface Place {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'TRACE';
  /** `{id}` stands for a parameter in the path. */
  path: string;
  location: PlaceOf;
  /** Its name; in JSON a pointer (`/filter/name`), in GraphQL `field.argument`, in the fragment a name in it. */
  parameter: string;
}

/** A flaw that was planted, and the place that does the same without it. */
export interface Flaw extends Place {
  id: string;
  check: CheckClass;
  title: string;
  cwe: number;
  severity: Severity;
  /** The level of a pentest from which on it is looked for. */
  depth: Depth;
  /** Who has to be signed in. */
  as: 'anyone' | 'customer' | 'admin';
  /** A value as the shop itself uses it. */
  sample: string;
  /** What else the request must carry, in the same part of it; beside a path, in a body of JSON. */
  others: Readonly<Record<string, string>>;
  /** The safe twin, and its parameter where that is another. */
  safePath: string;
  safeParameter: string;
  /** Only somebody whom the shop may call can prove it. */
  needs?: 'listener';
  /** What is not as it would be outside of the range. */
  note?: string;
}

type Planted = Pick<Flaw, 'id' | 'check' | 'title' | 'path' | 'safePath'> & Partial<Flaw>;

/** With what follows from its kind. Whatever is not a GET may change something, so a lead does not touch it. */
export function plant(planted: Planted): Flaw {
  const { cwe, severity, depth } = catalogue[planted.check];
  const { method = 'GET', parameter = '', location = parameter === '' ? 'none' : 'query' } = planted;
  return {
    cwe,
    severity,
    depth: depth === 'LEAD' && method !== 'GET' ? 'STANDARD' : depth,
    as: 'anyone',
    sample: '',
    others: {},
    safeParameter: parameter,
    ...planted,
    method,
    parameter,
    location,
  };
}

export const placeOf = ({ method, path, location, parameter }: Flaw): Place => ({ method, path, location, parameter });

export const twinOf = ({ method, safePath, location, safeParameter }: Flaw): Place => ({
  method,
  path: safePath,
  location,
  parameter: safeParameter,
});

/** A page that looks like a flaw and is none. */
export interface Decoy {
  id: string;
  /** What it is taken for. */
  looksLike: CheckClass[];
  method: 'GET' | 'POST';
  path: string;
  parameter: string;
  title: string;
}

/** Something that a crawler must leave alone, or must not get lost in. */
export interface Trap {
  id: string;
  /** `forbidden` counts how often it was touched. */
  kind: 'endless' | 'silent' | 'forbidden';
  method: 'GET' | 'POST';
  path: string;
  title: string;
}
